/* SPDX-License-Identifier: Apache-2.0 */
/* conf_misspelt.c: warns of unknown keys that are probably ours, misspelt. */
#include "config/conf.h"
#include "warn.h"

#include <string.h>
#include <strings.h>

/* Keys of CNI and of well-known tools, some of which are similar to ours. */
static bool is_protocol_key(const char *key)
{
	static const char *const keys[] = {
		"cniVersion", "cniVersions", "name",	      "type", "capabilities", "args",
		"prevResult", "ipam",	     "runtimeConfig", "dns",  "disableCheck", "ipMasq",
		"disableGC",  "plugins",     "log",	      "mtu",  "kubernetes",
	};

	for (size_t i = 0; i < LEN(keys); i++)
		if (strcasecmp(keys[i], key) == 0)
			return true;
	return strncmp(key, "cni.dev/", strlen("cni.dev/")) == 0;
}

static bool is_own_key(const char *key)
{
	for (size_t i = 0; conf_tables[i]; i++)
		if (json_table_has(conf_tables[i], key))
			return true;
	return false;
}

bool conf_key_is_read(const char *key)
{
	return is_own_key(key) || is_protocol_key(key);
}

/* Our key that `key` is similar to, or NULL. */
static const char *nearest_key(const char *key)
{
	const char *nearest = NULL;

	for (size_t i = 0; conf_tables[i] && !nearest; i++)
		nearest = json_key_hint(conf_tables[i], key);
	return nearest;
}

void conf_warn_misspelt(const json_t *network, struct warnings *w)
{
	const char *key;
	json_t *value;

	json_object_foreach ((json_t *)network, key, value) {
		const char *hint;

		if (json_is_null(value) || is_own_key(key) || is_protocol_key(key))
			continue;
		hint = nearest_key(key);
		if (!hint || json_object_get(network, hint))
			continue;
		warn(w, "misspelt-key", "%s: unknown key, ignored (did you mean \"%s\"?)", key,
		     hint);
		if (w->n)
			w->at[w->n - 1].hint = hint;
	}
}
