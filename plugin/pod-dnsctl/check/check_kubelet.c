/* SPDX-License-Identifier: Apache-2.0 */
/* check_kubelet.c: check: whether kubelet is configured the same. */
#include "config/addr_list.h"
#include "config/node_resolv.h"
#include "file.h"
#include "json.h"
#include "pod-dnsctl/check/check.h"
#include "pod-dnsctl/check/yaml.h"
#include "text.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>

enum { KUBELET_MAX = 4 << 20 }; /* bytes */

/* Addresses in the order of the lists, canonical. */
static void print_addrs(struct text *out, const struct addr_list *list)
{
	text_put(out, "", 0);
	for (size_t i = 0; i < list->n; i++) {
		char text[ADDR_TEXT];

		addr_print(text, &list->at[i]);
		text_print(out, "%s%s", i ? ", " : "", text);
	}
}

static void read_addrs(struct addr_list *list, const json_t *words)
{
	json_t *word;
	size_t i;

	if (!addr_list_make(list, json_array_size(words), NULL))
		return;
	json_array_foreach (words, i, word)
		if (json_is_string(word) && addr_parse(&list->at[list->n], json_string_value(word)))
			list->n++;
}

static void compare_servers(const struct conf *c, const json_t *kubelet, struct findings *f)
{
	struct addr_list servers = { 0 };
	auto_text own_value = TEXT_UP_TO(1024), kubelets = TEXT_UP_TO(1024);

	read_addrs(&servers, json_object_get(kubelet, "clusterDNS"));
	print_addrs(&own_value, &c->cluster_dns);
	print_addrs(&kubelets, &servers);
	if (text_ok(&own_value) && text_ok(&kubelets) && strcmp(own_value.at, kubelets.at) != 0)
		findings_add(f, SEVERITY_ERROR, "kubelet", "clusterDNS",
			     servers.n ? kubelets.at : NULL,
			     "kubelet has %s, the conflist %s: pods would be left as they are",
			     servers.n ? kubelets.at : "none",
			     c->cluster_dns.n ? own_value.at : "none");
	addr_list_done(&servers);
}

static void compare_text(const char *key, const char *own_value, const char *kubelet_value,
			 struct findings *f)
{
	if (!own_value)
		findings_add(f, SEVERITY_ERROR, "kubelet", key, kubelet_value,
			     "is not set, so /etc/resolv.conf is read; kubelet reads %s: set "
			     "\"%s\": \"%s\"",
			     kubelet_value, key, kubelet_value);
	else if (strcmp(own_value, kubelet_value) != 0)
		findings_add(f, SEVERITY_ERROR, "kubelet", key, kubelet_value,
			     "kubelet has \"%s\", the conflist \"%s\"", kubelet_value, own_value);
}

static const char *kubelet_text(const json_t *kubelet, const char *key, const char *otherwise)
{
	const char *text = json_string_value(json_object_get(kubelet, key));

	return text ? text : otherwise;
}

/*
 * Whether kubelet's resolvConf is the file that the plugin reads on this machine where the key is
 * absent. systemd-resolved's is not seen on another machine: there it counts as the same.
 */
static bool is_file_read(const struct conf *c, const char *kubelets)
{
	struct node_resolv node_resolv = { 0 };
	struct stat own, theirs;
	bool same;

	(void)node_resolv_lists(&node_resolv, c, NULL);
	same = node_resolv.path && stat(node_resolv.path, &own) == 0 &&
	       stat(kubelets, &theirs) == 0 && file_same(file_id(&own), file_id(&theirs));
	node_resolv_done(&node_resolv);
	return same || (strcmp(kubelets, NODE_RESOLV_RESOLVED) == 0 && access(kubelets, F_OK) < 0);
}

static void compare_node_file(const struct conf *c, const char *kubelets, struct findings *f)
{
	const bool usual = !c->resolv_conf && strcmp(kubelets, "/etc/resolv.conf") == 0;

	if (!usual && (c->resolv_conf || !is_file_read(c, kubelets)))
		compare_text("resolvConf", c->resolv_conf, kubelets, f);
}

/* A JSON text is read as JSON, any other as YAML. */
static json_t *load_kubelet(const char *path, struct err *e)
{
	auto_text text = TEXT_UP_TO(KUBELET_MAX);
	json_t *document = NULL;

	if (strcmp(path, "-") == 0 ? !file_read_fd(&text, STDIN_FILENO, "stdin", e)
				   : !file_read(&text, AT_FDCWD, path, true, e))
		return NULL;
	if (text.at && text.at[strspn(text.at, " \t\r\n")] == '{')
		document = json_read(text.at, text.len, false, e);
	else
		document = yaml_read(text.at ? text.at : "", text.len, e);
	if (!document)
		(void)err_in(e, "%s: ", path);
	return document;
}

bool check_kubelet(const struct conf *c, const char *path, struct findings *f)
{
	struct err e = { 0 };
	json_auto_t *document = load_kubelet(path, &e);
	const json_t *kubelet = json_object_get(document, "kubeletconfig"); /* of configz */
	const char *conflist = f->file;

	if (!kubelet)
		kubelet = document;
	if (!json_is_object(kubelet)) {
		f->file = path;
		findings_add(f, SEVERITY_ERROR, "kubelet", "", NULL, "%s",
			     document ? "not an object" : e.text);
		f->file = conflist;
		return false;
	}
	compare_servers(c, kubelet, f);
	compare_text("clusterDomain", c->cluster_domain, kubelet_text(kubelet, "clusterDomain", ""),
		     f);
	compare_node_file(c, kubelet_text(kubelet, "resolvConf", "/etc/resolv.conf"), f);
	return true;
}
