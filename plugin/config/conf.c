/* conf.c: the network's configuration: its decode tables and checks. */
#include "config/conf.h"
#include "config/dnsconfig.h"
#include "name.h"
#include "config/nodecache.h"
#include "config/rule.h"
#include "text.h"
#include "warn.h"
#include "names.h"

#include <string.h>

void conf_init(struct conf *c)
{
	*c = (struct conf){
		.cluster_domain = "cluster.local",
		.policy = CLUSTER_FIRST,
		.mode = MODE_ENFORCE,
		.limits = { 3, 32,
			    2048 }, /* KEP-2595: MaxDNSNameservers, …SearchPaths, …ListChars */
		.node_cache.steer = STEER_OFF,
		.node_cache.timers = { 250, 250, 86400000, 4 },
		.autopath_zone = "ap.k8s.io",
	};
}

/*** readers of our own ***/

static bool read_path(const json_t *v, const struct json_row *row, void *out, struct err *e)
{
	if (!json_read_string(v, row, out, e))
		return false;
	return *json_string_value(v) == '/' || json_fault_value(v, e, "is not an absolute path");
}

static bool read_path_or_none(const json_t *v, const struct json_row *row, void *out, struct err *e)
{
	if (json_is_string(v) && !json_string_length(v))
		return json_read_text(v, row, out, e);
	return read_path(v, row, out, e);
}

static bool read_domain(const json_t *v, const struct json_row *row, void *out, struct err *e)
{
	if (!json_read_string(v, row, out, e))
		return false;
	return name_is_domain(json_string_value(v)) ||
	       json_fault_value(v, e, "is not a domain name");
}

static bool read_domain_or_none(const json_t *v, const struct json_row *row, void *out,
				struct err *e)
{
	if (json_is_string(v) && !json_string_length(v))
		return json_read_text(v, row, out, e);
	return read_domain(v, row, out, e);
}

static bool read_pod_may(const json_t *v, const struct json_row *row UNUSED, void *out,
			 struct err *e)
{
	static const char *const things[] = { "dnsPolicy", "nameservers", "searches", "options",
					      NULL };
	static const struct json_row list = {
		.item = json_read_word, .size = sizeof(int), .max = STRINGS_MAX, .words = things
	};
	JSON_LIST(int, STRINGS_MAX) may = { 0 };
	struct pod_may *pod_may = out;
	bool *const allowed[] = { &pod_may->policy, &pod_may->nameservers, &pod_may->searches,
				  &pod_may->options };

	if (!json_read_list(v, &list, &may, e))
		return false;
	pod_may->written = true;
	for (size_t i = 0; i < may.n; i++)
		*allowed[may.at[i]] = true;
	return true;
}

/* "/a/{containerID}/b": no other place-holder, and no brace that stands for itself. */
static bool is_template(const char *s)
{
	static const char holder[] = "{containerID}";

	if (*s != '/')
		return false;
	while ((s = strpbrk(s, "{}"))) {
		if (strncmp(s, holder, strlen(holder)) != 0)
			return false;
		s += strlen(holder);
	}
	return true;
}

static bool read_target(const json_t *v, const struct json_row *row, void *out, struct err *e)
{
	static const char *const named[] = { "auto", "sandbox", "late", "rootfs", "netns" };

	if (!json_read_string(v, row, out, e))
		return false;
	for (size_t i = 0; i < LEN(named); i++)
		if (strcmp(json_string_value(v), named[i]) == 0)
			return true;
	return is_template(json_string_value(v)) ||
	       json_fault_value(v, e,
				"is neither auto, sandbox, late, rootfs, netns nor an "
				"absolute path (with {containerID} in it)");
}

static bool read_targets(const json_t *v, const struct json_row *row UNUSED, void *out,
			 struct err *e)
{
	static const struct json_row list = { .item = read_target,
					      .size = sizeof(char *),
					      .max = TARGETS_MAX };
	struct conf *c = (struct conf *)((char *)out - offsetof(struct conf, targets));

	c->targets_written = true;
	return json_read_list(v, &list, out, e);
}

/*** tables ***/

static const struct json_row limit_rows[] = {
	JSON_ROW("nameservers", json_read_uint, struct limits, nameservers, .min = 1,
		 .max = RESOLV_MAX),
	JSON_ROW("searches", json_read_uint, struct limits, searches, .min = 1, .max = RESOLV_MAX),
	JSON_ROW("searchChars", json_read_uint, struct limits, search_chars, .min = 1,
		 .max = 65536),
};
static const struct json_table limit_table = JSON_TABLE(limit_rows, 0);

static const char *const autopath_words[] = { "cache", "cluster", NULL };

/* The keys that a configFile may hold. */
static const struct json_row conf_rows[] = {
	JSON_ROW("clusterDNS", json_read_items, struct conf, cluster_dns_words,
		 .item = json_read_string, .max = STRINGS_MAX),
	JSON_ROW("clusterDomain", read_domain_or_none, struct conf, cluster_domain),
	JSON_ROW("resolvConf", read_path_or_none, struct conf, resolv_conf),
	JSON_ROW("dnsPolicy", names_read_policy, struct conf, policy, .words = policy_names),
	JSON_ROW("dnsConfig", dnsconfig_read, struct conf, dns, .alias = "dnsParams"),
	JSON_ROW("rules", rule_read_all, struct conf, rules),
	JSON_ROW("mode", json_read_word, struct conf, mode, .words = mode_names),
	JSON_ROW("podMay", read_pod_may, struct conf, pod_may),
	JSON_ROW("onPodError", json_read_word, struct conf, on_pod_error,
		 .words = on_pod_error_names),
	JSON_ROW("limits", json_read_object, struct conf, limits, .table = &limit_table),
	JSON_ROW("guards", json_read_word, struct conf, guards, .words = guards_names),
	JSON_ROW("targets", read_targets, struct conf, targets),
	JSON_ROW("autopath", json_read_word, struct conf, autopath, .words = autopath_words),
	JSON_ROW("autopathZone", read_domain, struct conf, autopath_zone),
	JSON_ROW("nodeCache", nodecache_read, struct conf, node_cache),
	JSON_ROW("servers", nodecache_read_servers, struct conf, servers),
};
static const struct json_table own_table = JSON_TABLE(conf_rows, JSON_OPEN);
static const struct json_table file_table = JSON_TABLE(conf_rows, 0);

static const struct json_row file_rows[] = {
	JSON_ROW("configFile", read_path, struct conf, config_file),
};
static const struct json_table network_table = JSON_TABLE(file_rows, JSON_OPEN);

bool conf_decode(struct conf *c, const json_t *network, struct err *e)
{
	return json_decode(network, &network_table, c, e) && json_decode(network, &own_table, c, e);
}

static bool written(const json_t *object, const char *key)
{
	json_t *value = key ? json_object_get(object, key) : NULL;

	return value && !json_is_null(value);
}

bool conf_decode_file(struct conf *c, const json_t *network, const json_t *file, struct err *e)
{
	for (size_t i = 0; i < LEN(conf_rows); i++) {
		const char *key = conf_rows[i].key, *alias = conf_rows[i].alias;

		if ((written(file, key) || written(file, alias)) &&
		    (written(network, key) || written(network, alias)))
			return err_set(e, ERR_CONFIG, "%s: the conflist sets it too", key);
	}
	return json_decode(file, &file_table, c, e);
}

json_t *conf_own_keys(const json_t *network, const json_t *file)
{
	json_t *own = json_object();

	for (size_t i = 0; i < LEN(conf_rows); i++) {
		const char *key = conf_rows[i].key, *alias = conf_rows[i].alias;
		const json_t *from = written(file, key) || written(file, alias) ? file : network;

		if (written(from, key))
			(void)json_object_set(own, key, json_object_get(from, key));
		if (written(from, alias))
			(void)json_object_set(own, alias, json_object_get(from, alias));
	}
	return own;
}

static int hash_more(const char *text, size_t len, void *hash)
{
	*(uint64_t *)hash = text_hash_more(*(uint64_t *)hash, text, len);
	return 0;
}

uint64_t conf_hash(const json_t *own)
{
	uint64_t hash = text_hash("", 0);
	int failed = json_dump_callback(own, hash_more, &hash, JSON_COMPACT | JSON_SORT_KEYS);

	return failed ? 0 : hash;
}

/*** what spans keys ***/

static void read_cluster_dns(struct conf *c, struct warnings *w)
{
	json_t *item;
	size_t i;

	json_array_foreach (c->cluster_dns_words, i, item) {
		const char *word = json_string_value(item);

		if (addr_parse(&c->cluster_dns[c->n_cluster_dns], word))
			c->n_cluster_dns++;
		else
			warn(w, "invalid-cluster-dns-ip",
			     "clusterDNS[%zu]: \"%s\" is not an IP address: dropped", i, word);
	}
}

bool conf_is_cluster_dns(const struct conf *c, const char *server)
{
	struct addr a;

	if (!addr_parse(&a, server))
		return false;
	for (size_t i = 0; i < c->n_cluster_dns; i++)
		if (addr_same(&a, &c->cluster_dns[i]))
			return true;
	return false;
}

static bool check_rules(const struct conf *c, struct err *e)
{
	for (size_t i = 0; i < c->rules.n; i++) {
		int steer = c->rules.at[i].steer;

		if (steer > STEER_OFF && !c->node_cache.present && !c->partial)
			return err_set(e, ERR_CONFIG, "rules[%zu].steer: there is no nodeCache", i);
		if (steer == STEER_DNAT && c->node_cache.fail_open == TRI_YES)
			return err_set(e, ERR_UNSUPPORTED,
				       "rules[%zu].steer: \"dnat\" is not possible with "
				       "nodeCache.failOpen true",
				       i);
	}
	return true;
}

static bool refuse_policy(int policy, const char *rule, struct err *e)
{
	if (policy != CLUSTER_FIRST_WITH_AUTOPATH)
		return true;
	return err_set(e, ERR_UNSUPPORTED, "%sdnsPolicy: \"%s\" is not supported by this version",
		       rule, policy_names[policy]);
}

/* What is decoded, and not done yet: better refused than ignored. */
static bool refuse_unbuilt(const struct conf *c, struct err *e)
{
	for (size_t i = 0; i < c->rules.n; i++) {
		if (!refuse_policy(c->rules.at[i].policy, ".", e))
			return err_in(e, "rules[%zu]", i);
	}
	return refuse_policy(c->policy, "", e);
}

bool conf_check(struct conf *c, struct warnings *w, struct err *e)
{
	read_cluster_dns(c, w);
	return nodecache_check(c, e) && check_rules(c, e) && refuse_unbuilt(c, e);
}

enum mode conf_mode(const struct conf *c, const struct rule *rule)
{
	return (enum mode)(rule && rule->mode != MODE_UNSET ? rule->mode : c->mode);
}

void conf_done(struct conf *c)
{
	rule_done_all(&c->rules);
}
