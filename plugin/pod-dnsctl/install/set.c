/* SPDX-License-Identifier: Apache-2.0 */
/* set.c: the keys of --set, and the plugin's object that they make. */
#include "pod-dnsctl/install/set.h"
#include "config/conf.h"
#include "config/request.h"
#include "hint.h"
#include "json.h"
#include "pod-dnsctl/install/chain.h"

#include <stdio.h>
#include <string.h>

/* CNI's keys: they name the plugin and the network, or the runtime writes them. */
static const char *const cnis_own[] = { "type", "name", "cniVersion", "prevResult" };

/* Keys at a wrong place, or of other programs. find_outer() knows the keys of nested objects. */
static const struct {
	const char *key, *hint;
} elsewhere[] = {
	{ "ndots", "dnsConfig={\"options\":[{\"name\":\"ndots\",\"value\":\"2\"}]}" },
	{ "policy", "dnsPolicy" },
	{ "exclude", "rules" },
};

static bool is_read(const char *key)
{
	for (size_t i = 0; conf_tables[i]; i++)
		if (json_table_has(conf_tables[i], key))
			return true;
	return strcmp(key, "capabilities") == 0;
}

/* The key of ours with an object that has this member: dnsConfig for "nameservers". */
static const char *find_outer(const char *key)
{
	for (size_t i = 0; conf_tables[i]; i++)
		for (size_t n = 0; n < conf_tables[i]->n; n++) {
			const struct json_row *row = &conf_tables[i]->row[n];

			if (row->table && json_table_has(row->table, key))
				return row->key;
		}
	return NULL;
}

const char *set_guess_key(const char *key)
{
	struct hint hint = HINT(key);
	const char *outer = find_outer(key);

	for (size_t i = 0; i < LEN(elsewhere); i++)
		if (strcasecmp(elsewhere[i].key, key) == 0)
			return elsewhere[i].hint;
	for (size_t i = 0; !outer && conf_tables[i]; i++)
		for (size_t n = 0; n < conf_tables[i]->n; n++)
			hint_try(&hint, conf_tables[i]->row[n].key);
	hint_try(&hint, "capabilities");
	return outer ? outer : hint.best;
}

static bool refuse_key(const char *key, struct err *e)
{
	const char *guess;

	for (size_t i = 0; i < LEN(cnis_own); i++)
		if (strcmp(key, cnis_own[i]) == 0)
			return err_set(e, ERR_CONFIG, "--set %s: it is CNI's own key", key);
	if (strchr(key, '.'))
		return err_set(e, ERR_CONFIG,
			       "--set %s: a key cannot have dots. Give the whole object: --set "
			       "'%.*s={…}'",
			       key, (int)strcspn(key, "."), key);
	guess = set_guess_key(key);
	if (!guess)
		return err_set(e, ERR_CONFIG,
			       "--set %s: pod-dns does not read this key: see pod-dns.conf(5)",
			       key);
	return err_set(e, ERR_CONFIG, "--set %s: pod-dns does not read this key (did you mean %s?)",
		       key, guess);
}

/* A null may remove any key but CNI's. */
static bool set_one(json_t *set, const char *given, struct err *e)
{
	const char *equals = strchr(given, '=');
	char key[256] = "";
	json_auto_t *value = equals ? json_loads(equals + 1, JSON_DECODE_ANY, NULL) : NULL;

	if (!equals || equals == given)
		return err_set(e, ERR_CONFIG, "--set %s: expected KEY=JSON", given);
	(void)snprintf(key, sizeof key, "%.*s", (int)(equals - given), given);
	if (!is_read(key) && (!json_is_null(value) || json_object_get(set, key)))
		return refuse_key(key, e);
	if (!value)
		return err_set(e, ERR_CONFIG,
			       "--set %s: the value is not JSON; a string needs quotes: "
			       "'dnsPolicy=\"ClusterFirst\"', a list brackets: "
			       "'clusterDNS=[\"10.96.0.10\"]'",
			       given);
	return json_object_set(set, key, value) == 0 || err_set(e, ERR_IO, "out of memory");
}

json_t *set_read(const struct ctl *ctl, struct err *e)
{
	json_auto_t *set = json_object();
	const char *given;

	for (size_t n = 0; (given = ctl_value_at(ctl, "set", n)); n++)
		if (!set_one(set, given, e))
			return NULL;
	return json_incref(set);
}

json_t *set_object(const json_t *set, const char *text, struct err *e)
{
	json_auto_t *object = chain_object(text);
	const char *key;
	json_t *value;
	bool good;

	if (!object)
		object = json_pack("{s:s, s:{s:b, s:b}}", "type", "pod-dns", "capabilities", "dns",
				   1, REQUEST_ANNOTATIONS, 1);
	good = object;
	json_object_foreach ((json_t *)set, key, value)
		if (json_is_null(value))
			(void)json_object_del(object, key);
		else
			good = good && json_object_set(object, key, value) == 0;
	if (good)
		return json_incref(object);
	(void)err_set(e, ERR_IO, "out of memory");
	return NULL;
}
