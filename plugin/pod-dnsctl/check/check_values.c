/* SPDX-License-Identifier: Apache-2.0 */
/* check_values.c: check: values that are decoded without a fault, and that do nothing or harm. */
#include "config/conf.h"
#include "hint.h"
#include "json.h"
#include "pod-dnsctl/check/check.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/*** options of resolv.conf ***/

/* The options of glibc 2.41 and musl 1.2.5 (resolv.conf(5)); max -1: it has no value. */
static const struct {
	const char *name;
	int max;
} options[] = {
	{ "ndots", 15 },	 { "timeout", 30 },	   { "attempts", 5 },
	{ "debug", -1 },	 { "edns0", -1 },	   { "inet6", -1 },
	{ "insecure1", -1 },	 { "insecure2", -1 },	   { "ip6-bytestring", -1 },
	{ "ip6-dotint", -1 },	 { "no-aaaa", -1 },	   { "no-check-names", -1 },
	{ "no-ip6-dotint", -1 }, { "no-reload", -1 },	   { "no-tld-query", -1 },
	{ "rotate", -1 },	 { "single-request", -1 }, { "single-request-reopen", -1 },
	{ "strict-error", -1 },	 { "trust-ad", -1 },	   { "use-vc", -1 },
};

static void warn_value(struct findings *f, const char *path, const char *suggestion,
		       const char *text)
{
	findings_add(f, SEVERITY_WARNING, "option", path, suggestion, "%s", text);
}

/* A number from 0 to max, of one or two digits; -1: it is not. */
static int number_of(const json_t *value)
{
	const char *text = json_string_value(value);

	if (json_is_integer(value))
		return json_integer_value(value) < 0 || json_integer_value(value) > INT16_MAX
			       ? -1
			       : (int)json_integer_value(value);
	return text && isdigit((unsigned char)*text) && strspn(text, "0123456789") == strlen(text)
		       ? (int)strtol(text, NULL, 10)
		       : -1;
}

static void check_option_value(const char *name, int max, const json_t *value, const char *path,
			       struct findings *f)
{
	const bool given = value && !json_is_null(value) &&
			   (!json_is_string(value) || json_string_length(value));
	int number = number_of(value);

	path = arena_print(f->arena, "%s.value", path);
	if (max < 0 && given)
		warn_value(f, path, NULL,
			   arena_print(f->arena, "\"%s\" takes no value: resolvers ignore it",
				       name));
	else if (max >= 0 && given && (number < 0 || number > max))
		warn_value(f, path, NULL,
			   arena_print(f->arena, "\"%s\" takes a number from 0 to %d", name, max));
}

static void check_option(const json_t *option, const char *path, struct findings *f)
{
	const char *name = json_string_value(json_object_get(option, "name"));
	const json_t *value = json_object_get(option, "value");
	struct hint hint = HINT(name ? name : "");
	const char *colon = name ? strchr(name, ':') : NULL;

	if (!name)
		return;
	if (colon) {
		warn_value(f, arena_print(f->arena, "%s.name", path), NULL,
			   arena_print(f->arena,
				       "\"%s\" is a name with its value, which overrides nothing: "
				       "write {\"name\": \"%.*s\", \"value\": \"%s\"}",
				       name, (int)(colon - name), name, colon + 1));
		return;
	}
	for (size_t i = 0; i < LEN(options); i++) {
		if (strcmp(options[i].name, name) == 0) {
			check_option_value(name, options[i].max, value, path, f);
			return;
		}
		hint_try(&hint, options[i].name);
	}
	warn_value(f, arena_print(f->arena, "%s.name", path), hint.best,
		   arena_print(f->arena, "\"%s\" is not an option that a resolver knows%s%s%s",
			       name, hint.best ? " (did you mean \"" : "",
			       hint.best ? hint.best : "", hint.best ? "\"?)" : ""));
}

static void check_option_list(const struct dns_config *dns, const char *place, struct findings *f)
{
	const json_t *option;
	size_t i;

	json_array_foreach (dns->options, i, option)
		check_option(option, arena_print(f->arena, "%sdnsConfig.options[%zu]", place, i),
			     f);
}

/*** patterns of rules ***/

/* The first character that cannot match in a name; NULL: each can. */
static const char *impossible_in(const char *glob, const char *letters)
{
	for (; *glob; glob++) {
		if (*glob == '[') {
			const char *end =
				strchr(glob + 1 + (glob[1] == '!' || glob[1] == ']'), ']');

			if (!end)
				return glob;
			glob = end;
		} else if (*glob == '\\' && glob[1]) {
			glob++;
		} else if (!strchr(letters, *glob)) {
			return glob;
		}
	}
	return NULL;
}

static void check_globs(const json_t *globs, const char *path, const char *letters,
			struct findings *f)
{
	const char *what = strstr(path, ".pods") ? "pod" : "namespace";
	const json_t *glob;
	size_t i;

	json_array_foreach (globs, i, glob) {
		const char *text = json_string_value(glob);
		const char *at = text ? impossible_in(text, letters) : NULL;

		if (!at)
			continue;
		findings_add(f, SEVERITY_WARNING, "pattern",
			     arena_print(f->arena, "%s[%zu]", path, i), NULL,
			     "\"%s\" matches no %s: %s", text, what,
			     *at == '/'	  ? "a name has no slash; a rule has namespaces and pods"
			     : *at == '[' ? "the bracket is not closed"
					  : "patterns are shell globs (* ? [a-z]), not regular "
					    "expressions, and names are lower-case");
	}
}

static void check_rule_values(const struct rule *rule, size_t i, struct findings *f)
{
	static const char of_namespaces[] = "abcdefghijklmnopqrstuvwxyz0123456789-*?";
	static const char of_pods[] = "abcdefghijklmnopqrstuvwxyz0123456789-.*?";
	const char *place = arena_print(f->arena, "rules[%zu].", i);

	check_globs(rule->namespaces, arena_print(f->arena, "%snamespaces", place), of_namespaces,
		    f);
	check_globs(rule->pods, arena_print(f->arena, "%spods", place), of_pods, f);
	check_option_list(&rule->dns, place, f);
}

/*** the others ***/

static void check_reachable(const struct addr_list *list, const char *path, struct findings *f)
{
	for (size_t i = 0; i < list->n; i++) {
		char text[ADDR_TEXT];

		addr_print(text, &list->at[i]);
		if (addr_is_loopback(text))
			findings_add(f, SEVERITY_WARNING, "loopback",
				     arena_print(f->arena, "%s[%zu]", path, i), "169.254.20.10",
				     "\"%s\" is a loopback address: in a pod it leads to the pod "
				     "itself",
				     text);
	}
}

static void check_domain(const char *domain, struct findings *f)
{
	size_t len = strlen(domain);
	char *lower = (char *)(uintptr_t)arena_print(f->arena, "%s", domain);

	for (char *c = lower; c && *c; c++)
		*c = (char)tolower((unsigned char)*c);
	if (len && lower && lower[len - 1] == '.')
		lower[len - 1] = '\0';
	if (lower && strcmp(lower, domain) != 0)
		findings_add(f, SEVERITY_WARNING, "cluster-domain", "clusterDomain", lower,
			     "\"%s\" is written so into each search: kubelet's is \"%s\"", domain,
			     lower);
}

void check_values(const struct conf *c, struct findings *f)
{
	check_option_list(&c->dns, "", f);
	for (size_t i = 0; i < c->rules.n; i++)
		check_rule_values(&c->rules.at[i], i, f);
	check_reachable(&c->node_cache.addresses, "nodeCache.addresses", f);
	check_reachable(&c->node_cache.fallback, "nodeCache.fallback", f);
	check_domain(c->cluster_domain, f);
	if (c->resolv_conf && *c->resolv_conf && access(c->resolv_conf, F_OK) < 0)
		findings_add(f, SEVERITY_WARNING, "resolv-conf", "resolvConf", NULL,
			     "%s is not on this machine: a pod that needs it would fail",
			     c->resolv_conf);
}
