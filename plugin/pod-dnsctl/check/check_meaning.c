/* SPDX-License-Identifier: Apache-2.0 */
/* check_meaning.c: check: keys that are valid, and probably not what is meant. */
#include "config/rule.h"
#include "config/servers.h"
#include "json.h"
#include "enum_names.h"
#include "pod-dnsctl/check/check.h"
#include "steer/rules/steering.h"

#include <fnmatch.h>
#include <stdio.h>
#include <string.h>

/*** rules that no pod reaches ***/

/* Whether `wide` surely matches every name that `narrow` matches. */
static bool glob_covers(const char *wide, const char *narrow)
{
	static const char meta[] = "*?[\\";
	size_t stem = strcspn(wide, meta), plain = strcspn(narrow, meta);

	if (strcmp(wide, narrow) == 0)
		return true;
	if (!narrow[plain])
		return fnmatch(wide, narrow, 0) == 0;
	return strcmp(wide + stem, "*") == 0 && plain >= stem && strncmp(wide, narrow, stem) == 0;
}

/* The same for lists of globs; an absent one matches all. */
static bool globs_cover(const json_t *wide, const json_t *narrow)
{
	const json_t *glob, *other;
	size_t i, j;

	if (!narrow) {
		json_array_foreach (wide, i, glob)
			if (strcmp(json_string_value(glob), "*") == 0)
				return true;
		return !wide;
	}
	json_array_foreach (narrow, i, glob) {
		bool covered = !wide;

		json_array_foreach (wide, j, other)
			covered = covered ||
				  glob_covers(json_string_value(other), json_string_value(glob));
		if (!covered)
			return false;
	}
	return true;
}

static void check_reach(const struct rules *rules, size_t i, struct findings *f)
{
	const struct rule *rule = &rules->at[i];
	char path[32];

	(void)snprintf(path, sizeof(path), "rules[%zu]", i);
	for (size_t j = 0; j < i; j++) {
		const struct rule *earlier = &rules->at[j];

		if (earlier->host_network != rule->host_network ||
		    !globs_cover(earlier->namespaces, rule->namespaces) ||
		    !globs_cover(earlier->pods, rule->pods))
			continue;
		findings_add(f, SEVERITY_WARNING, "unreachable-rule", path, NULL,
			     "no pod reaches it: rules[%zu] matches all of its pods first", j);
		return;
	}
}

/*** steering ***/

static bool is_steered_somewhere(const struct conf *c)
{
	for (size_t i = 0; i < c->rules.n; i++)
		if (steering_mode(c, &c->rules.at[i]) != STEER_OFF)
			return true;
	return steering_mode(c, NULL) != STEER_OFF;
}

static void check_cache(const struct conf *c, struct findings *f)
{
	struct warnings w = { .arena = f->arena };
	static struct steering s; /* large */

	if (!c->node_cache.present)
		return;
	if (!c->cluster_dns.n)
		findings_add(f, SEVERITY_WARNING, "steering", "nodeCache", NULL,
			     "there is no clusterDNS whose queries could be steered");
	else if (!is_steered_somewhere(c))
		findings_add(f, SEVERITY_WARNING, "steering", "nodeCache.steer", "pod",
			     "no query goes to the cache: steer is off, and no rule sets it");
	else
		(void)steering_plan(&s, c, NULL, NULL, &w);
	findings_add_warnings(f, &w, "clusterDNS");
}

static void check_autopath_policy(const struct conf *c, const struct rule *rule, const char *path,
				  struct findings *f)
{
	int policy = rule && rule->policy != POLICY_UNSET ? rule->policy : c->policy;

	if ((rule && rule->policy == POLICY_UNSET) || policy != CLUSTER_FIRST_WITH_AUTOPATH)
		return;
	if (!*c->cluster_domain)
		findings_add(f, SEVERITY_WARNING, "policy", path, NULL,
			     "%s needs a clusterDomain: pods get ClusterFirst",
			     policy_names[policy]);
	else if (c->autopath == 0 && steering_mode(c, rule) == STEER_OFF)
		findings_add(f, SEVERITY_WARNING, "policy", path, NULL,
			     "%s needs pods that are steered to the cache: they get ClusterFirst",
			     policy_names[policy]);
}

/*** zone forwarders ***/

static void check_forwarders(const struct conf *c, struct findings *f)
{
	struct servers servers;
	char path[48];

	if (json_array_size(c->servers) && !c->node_cache.present)
		findings_add(f, SEVERITY_WARNING, "servers", "servers", NULL,
			     "there is no nodeCache that would serve these zones");
	if (servers_decode(&servers, c, NULL))
		for (size_t i = 0; i < servers.n; i++) {
			if (servers.at[i].cluster_knows || c->node_cache.fail_open == TRI_NO)
				continue;
			(void)snprintf(path, sizeof(path), "servers[%zu].clusterKnows", i);
			findings_add(f, SEVERITY_WARNING, "cluster-knows", path, "true",
				     "while the cache is out the cluster's DNS is asked for these "
				     "zones: give it the same forwarder (pod-dnsctl corefile "
				     "--cluster), then say true");
		}
	servers_done(&servers);
}

/*** what musl makes of it ***/

static bool is_one_digit(const char *text)
{
	return text && *text >= '0' && *text <= '9' && !text[1];
}

static bool has_low_ndots(const struct dns_config *d)
{
	const json_t *option, *value;
	size_t i;

	json_array_foreach (d->options, i, option) {
		const char *name = json_string_value(json_object_get(option, "name"));

		value = json_object_get(option, "value");
		if (strcmp(name, "ndots") != 0)
			continue;
		if (json_is_integer(value) ? json_integer_value(value) <= 2
					   : is_one_digit(json_string_value(value)) &&
						     atoi(json_string_value(value)) <= 2)
			return true;
	}
	return false;
}

/* Once for a conflist: most leave ndots at 5, which costs queries. */
static void check_ndots(const struct conf *c, struct findings *f)
{
	char path[48] = "dnsConfig.options";
	bool low = has_low_ndots(&c->dns);

	for (size_t i = 0; i < c->rules.n && !low; i++) {
		low = has_low_ndots(&c->rules.at[i].dns);
		(void)snprintf(path, sizeof(path), "rules[%zu].dnsConfig.options", i);
	}
	if (low)
		findings_add(f, SEVERITY_WARNING, "guard-ndots-musl", path, NULL,
			     "with ndots:2 or less, Alpine (musl) pods cannot resolve "
			     "\"service.namespace.svc\": they must write the full name");
}

/*** families ***/

/* A pod with IPv4 addresses only does not reach these servers, with or without no-aaaa. */
static void check_families(const struct conf *c, enum families families, const char *path,
			   struct findings *f)
{
	if (families != FAMILIES_AUTO || !c->cluster_dns.n)
		return;
	for (size_t i = 0; i < c->cluster_dns.n; i++)
		if (addr_is_v4(&c->cluster_dns.at[i]))
			return;
	findings_add(f, SEVERITY_WARNING, "families", path, "off",
		     "clusterDNS has IPv6 addresses only: a pod that has IPv4 addresses only, and "
		     "gets no-aaaa, cannot reach them");
}

void check_meaning(const struct conf *c, struct findings *f)
{
	char path[48];

	check_autopath_policy(c, NULL, "dnsPolicy", f);
	for (size_t i = 0; i < c->rules.n; i++) {
		(void)snprintf(path, sizeof(path), "rules[%zu].dnsPolicy", i);
		check_autopath_policy(c, &c->rules.at[i], path, f);
		check_reach(&c->rules, i, f);
		(void)snprintf(path, sizeof(path), "rules[%zu].families", i);
		check_families(c, (enum families)c->rules.at[i].families, path, f);
	}
	check_families(c, (enum families)c->families, "families", f);
	check_ndots(c, f);
	check_cache(c, f);
	check_forwarders(c, f);
}
