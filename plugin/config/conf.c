/* SPDX-License-Identifier: Apache-2.0 */
/* conf.c: the network's configuration: its decode tables and checks. */
#include "config/conf.h"
#include "config/addr_list.h"
#include "config/cluster_dns.h"
#include "config/dnsconfig.h"
#include "config/nodecache.h"
#include "config/rule.h"
#include "config/servers.h"
#include "dnsname.h"
#include "enum_names.h"
#include "text.h"
#include "warn.h"

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

/*** readers of single keys ***/

static const char *const pod_may_names[] = { "dnsPolicy", "nameservers", "searches", "options",
					     NULL };

static bool read_pod_may(const json_t *v, const struct json_row *row, void *out, struct err *e)
{
	JSON_LIST(int, STRINGS_MAX) may = { 0 };
	struct pod_may *pod_may = out;
	bool *const allowed[] = { &pod_may->policy, &pod_may->nameservers, &pod_may->searches,
				  &pod_may->options };

	if (!json_read_list(v, row, &may, e))
		return false;
	pod_may->written = true;
	for (size_t i = 0; i < may.n; i++)
		*allowed[may.at[i]] = true;
	return true;
}

static bool is_absolute(const char *path)
{
	return *path == '/';
}

/* An absolute path in which braces stand only in {containerID}. */
static bool is_template(const char *s)
{
	static const char holder[] = "{containerID}";

	if (!is_absolute(s))
		return false;
	while ((s = strpbrk(s, "{}"))) {
		if (strncmp(s, holder, strlen(holder)) != 0)
			return false;
		s += strlen(holder);
	}
	return true;
}

static bool is_target(const char *s)
{
	for (size_t i = 0; target_names[i]; i++)
		if (strcmp(s, target_names[i]) == 0)
			return true;
	return strcmp(s, "auto") == 0 || is_template(s);
}

/*** tables ***/

#define PATH   .fits = is_absolute, .unfit = "is not an absolute path"
#define DOMAIN .fits = dnsname_is_domain, .unfit = "is not a domain name"

static const struct json_row limit_rows[] = {
	JSON_ROW("nameservers", json_read_uint, struct limits, nameservers, .min = 1,
		 .max = STRINGS_MAX, .about = "The most name servers."),
	JSON_ROW("searches", json_read_uint, struct limits, searches, .min = 1, .max = STRINGS_MAX,
		 .about = "The most searches."),
	JSON_ROW("searchChars", json_read_uint, struct limits, search_chars, .min = 1, .max = 65536,
		 .about = "The most characters of all searches, joined with blanks."),
};
static const struct json_table limit_table = JSON_TABLE(limit_rows, 0);

static const char *const autopath_names[] = { "cache", "cluster", NULL };

#define LABEL_PATTERN  "_?[A-Za-z0-9]([-_A-Za-z0-9]*[A-Za-z0-9])?"
#define DOMAIN_PATTERN LABEL_PATTERN "([.]" LABEL_PATTERN ")*[.]?"
#define TARGET_PATTERN "^(auto|sandbox|late|rootfs|netns|/([^{}]|[{]containerID[}])*)$"

/* The keys that a configFile may hold. `about` becomes the description in the JSON Schema. */
static const struct json_row conf_rows[] = {
	JSON_ROW("clusterDNS", json_read_items, struct conf, cluster_dns_words,
		 .item = json_read_string, .max = STRINGS_MAX,
		 .about = "Addresses of the cluster DNS, IPv4 and IPv6. An entry that is not an "
			  "address is dropped with a warning, as kubelet does."),
	JSON_ROW("clusterDomain", json_read_text, struct conf, cluster_domain, DOMAIN,
		 .pattern = "^(" DOMAIN_PATTERN ")?$",
		 .about = "The cluster's suffix. An empty string: cluster searches are left out."),
	JSON_ROW("resolvConf", json_read_text, struct conf, resolv_conf, PATH, .pattern = "^(/|$)",
		 .about = "The node's file, for policy Default and for the searches that "
			  "cluster-first pods inherit. An empty string: nothing is inherited."),
	JSON_ROW("dnsPolicy", enum_names_read_policy, struct conf, policy, .words = policy_names,
		 .like = json_read_word, .about = "The policy of a pod that did not choose one."),
	JSON_ROW("dnsConfig", dnsconfig_read, struct conf, dns, .alias = "dnsParams",
		 .like = json_read_object, .table = &dnsconfig_table,
		 .about = "The operator's additions to what the policy gives."),
	JSON_ROW("rules", rule_read_all, struct conf, rules, .like = json_read_list,
		 .item = rule_read, .item_like = json_read_object, .size = sizeof(struct rule),
		 .max = RULES_MAX, .table = &rule_table,
		 .about = "Exceptions for some pods. The first rule that matches a pod counts, "
			  "alone."),
	JSON_ROW("mode", json_read_word, struct conf, mode, .words = mode_names,
		 .about = "Whether what is computed takes effect."),
	JSON_ROW("podMay", read_pod_may, struct conf, pod_may, .like = json_read_list,
		 .item = json_read_word, .words = pod_may_names, .size = sizeof(int),
		 .max = STRINGS_MAX,
		 .about = "The fields that a pod may set in the four channels. Anything else that "
			  "a pod sets "
			  "there is refused."),
	JSON_ROW("onPodError", json_read_word, struct conf, on_pod_error,
		 .words = on_pod_error_names,
		 .about = "What a pod asked for wrongly makes its ADD fail, or is left out with a "
			  "warning."),
	JSON_ROW("limits", json_read_object, struct conf, limits, .table = &limit_table,
		 .about = "How many name servers and searches a pod gets."),
	JSON_ROW("families", json_read_word, struct conf, families, .words = families_names,
		 .about = "Whether a pod with IPv4 addresses only gets the option no-aaaa."),
	JSON_ROW("measure", json_read_bool, struct conf, measure,
		 .about = "Whether a table in the pod's namespace counts its queries and answers."),
	JSON_ROW("guards", json_read_word, struct conf, guards, .words = guards_names,
		 .about = "The treatment of a configuration that breaks a C library."),
	JSON_ROW("targets", json_read_items, struct conf, targets, .item = json_read_string,
		 .fits = is_target,
		 .unfit = "is neither auto, sandbox, late, rootfs, netns nor an absolute path "
			  "(with {containerID} in it)",
		 .pattern = TARGET_PATTERN, .max = TARGETS_MAX,
		 .about = "The places for the file, tried in order."),
	JSON_ROW("autopath", json_read_word, struct conf, autopath, .words = autopath_names,
		 .about = "The server of the autopath zone: the cache, or the cluster's own DNS."),
	JSON_ROW("autopathZone", json_read_string, struct conf, autopath_zone, DOMAIN,
		 .pattern = "^" DOMAIN_PATTERN "$", .about = "The name of the autopath zone."),
	JSON_ROW("nodeCache", nodecache_read, struct conf, node_cache, .like = json_read_object,
		 .table = &nodecache_table,
		 .about = "A DNS cache on the node, and how queries get there."),
	JSON_ROW("servers", json_read_items, struct conf, servers, .item = servers_read_keys,
		 .item_like = json_read_object, .table = &server_table, .max = SERVERS_MAX,
		 .about = "Zone forwarders of the node cache, in OpenShift's schema."),
};
static const struct json_table file_table = JSON_TABLE(conf_rows, 0);
static const struct json_table own_table = JSON_TABLE(conf_rows, JSON_OPEN);

static const struct json_row file_rows[] = {
	JSON_ROW("configFile", json_read_string, struct conf, config_file, PATH, .pattern = "^/",
		 .about = "A JSON file with an object that holds the other keys. So a change of "
			  "them does "
			  "not change the conflist."),
};
static const struct json_table network_table = JSON_TABLE(file_rows, JSON_OPEN);

const struct json_table *const conf_tables[] = { &network_table, &own_table, NULL };

bool conf_decode(struct conf *c, const json_t *network, struct err *e)
{
	bool good = true;

	for (size_t i = 0; conf_tables[i]; i++)
		if (!err_continue(e, json_decode(network, conf_tables[i], c, e), &good))
			return false;
	return good;
}

bool conf_decode_file(struct conf *c, const json_t *network, const json_t *file, struct err *e)
{
	for (size_t i = 0; i < LEN(conf_rows); i++) {
		const char *key = conf_rows[i].key, *alias = conf_rows[i].alias;

		if ((json_get(file, key) || json_get(file, alias)) &&
		    (json_get(network, key) || json_get(network, alias)))
			return err_set(e, ERR_CONFIG, "%s: the conflist sets it too", key);
	}
	return json_decode(file, &file_table, c, e);
}

json_t *conf_own_keys(const json_t *network, const json_t *file)
{
	json_t *own = json_object();

	for (size_t i = 0; i < LEN(conf_rows); i++) {
		const char *key = conf_rows[i].key, *alias = conf_rows[i].alias;
		const json_t *from = json_get(file, key) || json_get(file, alias) ? file : network;

		(void)json_object_set(own, key, json_get(from, key));
		(void)json_object_set(own, alias, json_get(from, alias));
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

/*** checks of several keys together ***/

static bool check_rule_keys(const struct conf *c, size_t i, struct err *e)
{
	const struct rule *rule = &c->rules.at[i];

	if (!rule_check(rule, e))
		return err_in(e, "rules[%zu]", i);
	if (rule->steer > STEER_OFF && !c->node_cache.present && !c->partial)
		return err_set(e, ERR_CONFIG, "rules[%zu].steer: there is no nodeCache", i);
	if (rule->steer == STEER_DNAT && c->node_cache.fail_open == TRI_YES)
		return err_set(
			e, ERR_UNSUPPORTED,
			"rules[%zu].steer: \"dnat\" is not possible with nodeCache.failOpen true",
			i);
	return true;
}

static bool check_rules(const struct conf *c, struct err *e)
{
	bool good = true;

	for (size_t i = 0; i < c->rules.n; i++)
		if (!err_continue(e, check_rule_keys(c, i, e), &good))
			return false;
	return good;
}

bool conf_check(struct conf *c, struct warnings *w, struct err *e)
{
	bool good = true;

	if (!cluster_dns_read(c, w, e))
		return false;
	if (c->servers)
		servers_warn(c, w);
	return err_continue(e, nodecache_check(c, e), &good) &&
	       err_continue(e, check_rules(c, e), &good) && good;
}

/*** the mode ***/

static enum mode mode_of(const json_t *object)
{
	const char *word = json_string_value(json_object_get(object, "mode"));

	for (int i = 0; word && mode_names[i]; i++)
		if (strcmp(mode_names[i], word) == 0)
			return (enum mode)i;
	return MODE_UNSET;
}

enum mode conf_idle_mode(const json_t *own)
{
	enum mode mode = mode_of(own);
	json_t *rule;
	size_t i;

	json_array_foreach (json_object_get(own, "rules"), i, rule)
		if (mode_of(rule) == MODE_ENFORCE)
			return MODE_ENFORCE;
	return mode == MODE_UNSET ? MODE_ENFORCE : mode;
}

bool conf_enforces(const struct conf *c)
{
	for (size_t i = 0; i < c->rules.n; i++)
		if (c->rules.at[i].mode == MODE_ENFORCE)
			return true;
	return c->mode == MODE_ENFORCE;
}

enum mode conf_mode(const struct conf *c, const struct rule *rule)
{
	return (enum mode)(rule && rule->mode != MODE_UNSET ? rule->mode : c->mode);
}

enum families conf_families(const struct conf *c, const struct rule *rule)
{
	return (enum families)(rule && rule->families != FAMILIES_UNSET ? rule->families
									: c->families);
}

bool conf_measures(const struct conf *c, const struct rule *rule)
{
	return rule && rule->measure >= 0 ? rule->measure : c->measure;
}

bool conf_lacks_server(const struct conf *c, const struct rule *rule)
{
	int policy = rule && rule->policy != POLICY_UNSET ? rule->policy : c->policy;
	bool pods = c->pod_may.written && c->pod_may.nameservers;

	return policy == NONE && conf_mode(c, rule) == MODE_ENFORCE && !pods &&
	       !json_array_size(c->dns.nameservers) &&
	       !(rule && json_array_size(rule->dns.nameservers));
}

void conf_done(struct conf *c)
{
	rule_done_all(&c->rules);
	addr_list_done(&c->cluster_dns);
	addr_list_done(&c->node_cache.addresses);
	addr_list_done(&c->node_cache.fallback);
}
