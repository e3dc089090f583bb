/* SPDX-License-Identifier: Apache-2.0 */
/* corefile.c: `pod-dnsctl corefile`: makes CoreDNS's configuration of the plugin's. */
#include "pod-dnsctl/corefile/corefile.h"
#include "cni/cni.h"
#include "config/conf_file.h"
#include "config/node_resolv.h"
#include "file.h"
#include "config/conflist.h"
#include "pod-dnsctl/cli/ctl.h"
#include "pod-dnsctl/cli/out.h"
#include "pod-dnsctl/verbs.h"
#include "text.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>

enum { COREFILE_MAX = 4 << 20 };

static const char default_folder[] = "/etc/coredns";

/* All that a Corefile is made of. */
struct sources {
	struct conflist list;
	struct network_conf network;
	struct servers servers;
	struct node_resolv node_resolv;
	const struct resolv *node_lists;
	json_t *bundles;
	struct warnings warnings;
};

/*** --ca-bundle ***/

/* Reads options NAME=VALUE. 0, or the exit status of a wrong call. */
static int read_bundles(struct ctl *ctl, json_t *bundles)
{
	const char *given;

	for (size_t i = 0; (given = ctl_value_at(ctl, "ca-bundle", i)); i++) {
		const char *equals = strchr(given, '=');

		if (!equals || equals == given || !text_is_word(equals + 1))
			return ctl_usage(ctl, "--ca-bundle %s: not NAME=VALUE", given);
		(void)json_object_setn_new(bundles, given, (size_t)(equals - given),
					   json_string(equals + 1));
	}
	return 0;
}

/*** a conflist ***/

/* Whether the conflist or its configFile has the key. */
static bool is_written(const struct sources *s, const char *key)
{
	return json_object_get(s->list.network, key) || json_object_get(s->network.file, key);
}

static bool uses_autopath(const struct sources *s)
{
	const struct conf *c = &s->network.conf;
	bool uses = c->policy == CLUSTER_FIRST_WITH_AUTOPATH || is_written(s, "autopath") ||
		    is_written(s, "autopathZone");

	for (size_t i = 0; i < c->rules.n; i++)
		uses = uses || c->rules.at[i].policy == CLUSTER_FIRST_WITH_AUTOPATH;
	return uses;
}

/* Every CA bundle of a forwarder must have been given as a file. */
static bool check_bundles(const struct sources *s, struct err *e)
{
	bool good = true;

	for (size_t i = 0; i < s->servers.n; i++) {
		const struct forward *f = &s->servers.at[i].forward;

		if (f->transport != TRANSPORT_TLS || !f->ca_bundle ||
		    json_object_get(s->bundles, f->ca_bundle))
			continue;
		good = err_set(e, ERR_CONFIG,
			       "servers[%zu].forwardPlugin.transportConfig.tls.caBundle.name: "
			       "\"%s\": give its file: --ca-bundle %s=FILE",
			       i, f->ca_bundle, f->ca_bundle);
		(void)err_next(e);
	}
	return good;
}

/* Reports a fault, after which more may follow; returns false. */
static bool fault(struct err *e, const char *what)
{
	(void)err_set(e, ERR_CONFIG, "%s", what);
	(void)err_next(e);
	return false;
}

/* Keys that the plugin does not need and the cache does. */
static bool check_needs(const struct sources *s, bool cluster, struct err *e)
{
	const struct conf *c = &s->network.conf;
	bool has_cluster = c->cluster_dns_words || c->node_cache.fallback.n, good = true;

	if (!cluster && !c->node_cache.present)
		good = fault(e, "nodeCache: missing: which addresses has the cache?");
	if (!cluster && *c->cluster_domain && !has_cluster)
		good = fault(e, "clusterDNS: missing: who knows the names of clusterDomain?");
	if (!cluster && !*c->cluster_domain && !has_cluster && c->resolv_conf && !*c->resolv_conf)
		good = fault(e, "resolvConf: empty, and no clusterDNS: whom should the cache ask?");
	if (uses_autopath(s) && !*c->cluster_domain)
		good = fault(e, "clusterDomain: empty, and autopath needs it");
	return good;
}

/* Whether a Corefile can hold the path: one word, without variables of CoreDNS. */
static bool is_plain_path(const char *path)
{
	return !path[strspn(path, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
				  "/._-+=@:,")];
}

/* Words that would change the Corefile's structure. */
static bool check_words(const struct sources *s, struct err *e)
{
	const struct conf *c = &s->network.conf;
	struct zone zone = corefile_zone(c->autopath_zone);
	bool good = true;

	if (!cni_is_id(s->list.name))
		good = fault(e, "name: not one that a runtime takes");
	if (c->resolv_conf && !is_plain_path(c->resolv_conf))
		good = fault(e, "resolvConf: a path that a Corefile cannot name");
	if (dnsname_is_within(corefile_zone(c->cluster_domain).text, zone.text) ||
	    dnsname_is_within(zone.text, "invalid"))
		good = fault(e, "autopathZone: neither clusterDomain, nor above it, nor .invalid");
	return good;
}

/* *e has a list. False: the faults are in it, or in *e. */
static bool read_sources(struct sources *s, const char *path, bool cluster, struct err *e)
{
	bool good;

	if (!conflist_read(&s->list, path, e))
		return false;
	good = conf_file_read(&s->network, s->list.network, &s->warnings, e);
	if (good && s->network.unusable)
		return err_set(e, ERR_CONFIG, "%s",
			       s->warnings.n ? s->warnings.at[s->warnings.n - 1].text
					     : "out of memory");
	(void)err_next(e);
	good = servers_decode(&s->servers, &s->network.conf, e) && good;
	(void)err_next(e);
	good = check_bundles(s, e) && good;
	good = check_needs(s, cluster, e) && good;
	good = check_words(s, e) && good;
	if (good)
		s->node_lists = node_resolv_lists(&s->node_resolv, &s->network.conf, e);
	return s->node_lists;
}

static int tell_faults(struct ctl *ctl, const struct sources *s, const struct err *e)
{
	if (e->code)
		return ctl_fail(ctl, e);
	for (size_t i = 0; i < e->list->n; i++) {
		const struct err_item *fault = &e->list->at[i];

		ctl_note(ctl, "%s: %s%s%s", s->list.path, fault->path, *fault->path ? ": " : "",
			 fault->text);
	}
	return CTL_BAD;
}

/* Leaves out the warnings about `servers`, which are errors here. */
static void tell_warnings(struct ctl *ctl, const struct sources *s)
{
	for (size_t i = 0; i < s->warnings.n; i++)
		if (strcmp(s->warnings.at[i].kind, "servers") != 0)
			ctl_note(ctl, "warning: %s: %s", s->list.path, s->warnings.at[i].text);
}

/*** the output ***/

/* Replaces a file by rename: CoreDNS may be reading it. */
static bool put_file(int folder, const char *name, const struct text *text, struct err *e)
{
	char temp[64];

	if (!text_ok(text))
		return err_set(e, ERR_IO, "%s: out of memory", name);
	(void)snprintf(temp, sizeof(temp), ".%s.new", name);
	return file_replace(folder, name, temp, text->at, text->len, 0644, e);
}

/* The search files come first, since the Corefile names them. */
static bool put_folder(const char *path, const struct corefile *c, bool searches,
		       const struct text *corefile, struct err *e)
{
	auto_fd folder = -1;

	if (mkdir(path, 0755) != 0 && errno != EEXIST)
		return err_errno(e, ERR_IO, "%s", path);
	folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (folder < 0)
		return err_errno(e, ERR_IO, "%s", path);
	if (searches) {
		auto_text first = TEXT_UP_TO(COREFILE_MAX), rest = TEXT_UP_TO(COREFILE_MAX);

		corefile_render_search_namespace(&first);
		corefile_render_search_rest(&rest, c);
		if (!put_file(folder, SEARCH_FILE_NAMESPACE, &first, e) ||
		    !put_file(folder, SEARCH_FILE_REST, &rest, e))
			return err_in(e, "%s: ", path);
	}
	return put_file(folder, "Corefile", corefile, e) || err_in(e, "%s: ", path);
}

/* The folder's path for use in the Corefile. */
static const char *folder_of(const struct ctl *ctl, char buffer[static PATH_MAX])
{
	const char *seen = ctl_value(ctl, "seen-as"), *output = ctl_value(ctl, "output");

	if (seen)
		return seen;
	if (!output)
		return default_folder;
	(void)mkdir(output, 0755);
	return realpath(output, buffer) ? buffer : output;
}

static int make_corefile(struct ctl *ctl, const struct sources *s, bool cluster)
{
	const char *output = ctl_value(ctl, "output");
	auto_text text = TEXT_UP_TO(COREFILE_MAX);
	char buffer[PATH_MAX];
	const struct corefile c = { .network = s->list.name,
				    .conf = &s->network.conf,
				    .servers = &s->servers,
				    .node = s->node_lists,
				    .folder = folder_of(ctl, buffer),
				    .bundles = s->bundles,
				    .autopath = uses_autopath(s),
				    .cluster = cluster };
	bool searches = c.autopath && (c.conf->autopath == AUTOPATH_CLUSTER) == cluster;
	struct err e = { 0 };

	corefile_render(&text, &c);
	if (!text_ok(&text) || (output && !put_folder(output, &c, searches, &text, &e))) {
		(void)err_set(&e, ERR_IO, "out of memory");
		return ctl_fail(ctl, &e);
	}
	out_text(ctl->out, text.at);
	if (searches && !output)
		ctl_note(ctl, "the Corefile names two search files: --output DIR writes them");
	return CTL_GOOD;
}

static int from_conflist(struct ctl *ctl, const char *path, json_t *bundles)
{
	struct sources s = { .bundles = bundles, .warnings.arena = ctl->arena };
	struct err_list faults = { .arena = ctl->arena };
	struct err e = { .list = &faults };
	bool cluster = ctl_flag(ctl, "cluster");
	int status;

	if (!read_sources(&s, path, cluster, &e)) {
		status = tell_faults(ctl, &s, &e);
	} else {
		tell_warnings(ctl, &s);
		status = make_corefile(ctl, &s, cluster);
	}
	node_resolv_done(&s.node_resolv);
	servers_done(&s.servers);
	conf_file_done(&s.network);
	conflist_done(&s.list);
	return status;
}

/*** OpenShift's object ***/

static int from_openshift(struct ctl *ctl, const char *path, const json_t *bundles)
{
	auto_text text = TEXT_UP_TO(COREFILE_MAX);
	struct err e = { 0 };
	json_auto_t *object = conflist_load(path, &e);

	if (!object)
		return ctl_fail(ctl, &e);
	if (!json_is_object(object))
		return ctl_fail(ctl,
				&(struct err){ .code = ERR_CONFIG, .text = "an object is wanted" });
	if (!openshift_render(&text, object, bundles, ctl_value(ctl, "name-resolver-namespaces"),
			      &e) ||
	    (!text_ok(&text) && !err_set(&e, ERR_IO, "out of memory"))) {
		(void)err_in(&e, "%s: ", path);
		return ctl_fail(ctl, &e);
	}
	out_text(ctl->out, text.at);
	return CTL_GOOD;
}

static int corefile(struct ctl *ctl)
{
	const char *openshift = ctl_value(ctl, "openshift");
	json_auto_t *bundles = json_object();
	struct err e = { 0 };
	const char *path;
	int status = read_bundles(ctl, bundles);

	if (status)
		return status;
	if (openshift && ctl->n_args)
		return ctl_usage(ctl, "--openshift takes no CONFLIST");
	if (openshift && (ctl_flag(ctl, "cluster") || ctl_flag(ctl, "output")))
		return ctl_usage(ctl, "--openshift goes with neither --cluster nor --output");
	if ((ctl_flag(ctl, "output") && !is_plain_path(ctl_value(ctl, "output"))) ||
	    (ctl_flag(ctl, "seen-as") && !is_plain_path(ctl_value(ctl, "seen-as"))))
		return ctl_usage(ctl, "a folder that a Corefile cannot name");
	if (!openshift && ctl_flag(ctl, "name-resolver-namespaces"))
		return ctl_usage(ctl, "--name-resolver-namespaces goes with --openshift");
	if (openshift)
		return from_openshift(ctl, openshift, bundles);
	path = ctl->n_args ? ctl->args[0] : own_conflist(ctl->arena, &e);
	return path ? from_conflist(ctl, path, bundles) : ctl_fail(ctl, &e);
}

static const struct ctl_option options[] = {
	{ .name = "output",
	  .value = "DIR",
	  .help = "write Corefile, and the search files of\n"
		  "autopath, into DIR, each by rename" },
	{ .name = "seen-as",
	  .value = "DIR",
	  .help = "the folder of the search files as CoreDNS sees\n"
		  "it, where that is not --output's\n"
		  "(default: /etc/coredns)" },
	{ .name = "cluster",
	  .help = "print what the cluster's own CoreDNS needs\n"
		  "beside its Corefile" },
	{ .name = "openshift",
	  .value = "DNS.json",
	  .help = "print the Corefile that OpenShift's operator\n"
		  "makes of a dnses.operator.openshift.io object\n"
		  "(-: stdin)" },
	{ .name = "ca-bundle",
	  .value = "NAME=FILE",
	  .repeats = true,
	  .help = "the file of a caBundle; with --openshift: its\n"
		  "revision" },
	{ .name = "name-resolver-namespaces",
	  .value = "NS,NS",
	  .help = "with --openshift: the name resolver is on, for\n"
		  "these" },
	{ 0 },
};

const struct ctl_verb ctl_verb_corefile = {
	.name = "corefile",
	.synopsis = "corefile [--cluster] [--output DIR [--seen-as DIR]]\n"
		    "         [--ca-bundle NAME=FILE]... [CONFLIST]\n"
		    "corefile --openshift DNS.json [--ca-bundle NAME=REVISION]...\n"
		    "         [--name-resolver-namespaces NS,NS]",
	.summary = "prints a Corefile: the node cache's, from a conflist",
	.help = "Prints a complete Corefile for stock CoreDNS 1.11.4 or later, from the\n"
		"conflist that the plugin reads: zone forwarders (servers), server-side\n"
		"search expansion (autopath), the cluster's names, and all others. Everything\n"
		"wrong is told at once, each with the path of its key, and exits 1.\n",
	.options = options,
	.max_args = 1,
	.examples = "  pod-dnsctl corefile --output /etc/coredns\n"
		    "  pod-dnsctl corefile --cluster 10-net.conflist\n",
	.run = corefile,
};
