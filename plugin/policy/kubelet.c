/* SPDX-License-Identifier: Apache-2.0 */
/* kubelet.c: recognises a configuration that kubelet made, and takes it apart. */
#include "policy/kubelet.h"
#include "arena.h"
#include "config/cluster_dns.h"
#include "dnsname.h"
#include "text.h"

#include <string.h>

void kubelet_searches(const char *out[static KUBELET_SEARCHES], const char *domain,
		      const struct pod *pod, struct arena *a)
{
	out[2] = domain;
	out[1] = arena_print(a, "svc.%s", out[2]);
	out[0] = arena_print(a, "%s.%s", pod->namespace, out[1]);
}

/* The cluster domain, if the first three searches are kubelet's for that domain; else NULL. */
static const char *domain_of(const struct resolv_list *searches, const struct pod *pod,
			     struct arena *a)
{
	const char *cluster[KUBELET_SEARCHES];

	if (searches->n < KUBELET_SEARCHES)
		return NULL;
	kubelet_searches(cluster, searches->at[KUBELET_SEARCHES - 1].text, pod, a);
	for (size_t i = 0; i < KUBELET_SEARCHES - 1; i++)
		if (strcmp(searches->at[i].text, cluster[i]) != 0)
			return NULL;
	return cluster[KUBELET_SEARCHES - 1];
}

static size_t count_cluster_servers(const struct resolv_list *servers, const struct conf *c)
{
	size_t count = 0;

	for (size_t i = 0; i < servers->n; i++)
		count += cluster_dns_has(c, servers->at[i].text);
	return count;
}

enum kubelet_kind kubelet_recognise(const struct resolv *runtime_dns, const struct conf *c,
				    const struct pod *pod, struct arena *a)
{
	const struct resolv_list *servers = &runtime_dns->nameservers;
	const char *domain = domain_of(&runtime_dns->searches, pod, a);

	if (!*c->cluster_domain || !domain || !resolv_find_key(&runtime_dns->options, "ndots", 5))
		return KUBELET_OTHER;
	if (strcmp(domain, c->cluster_domain) != 0)
		return KUBELET_OTHER_DOMAIN;
	if (!c->cluster_dns.n)
		return KUBELET_CLUSTER_FIRST;
	if (servers->n && cluster_dns_has(c, servers->at[0].text))
		return KUBELET_CLUSTER_FIRST;
	return count_cluster_servers(servers, c) ? KUBELET_OTHER : KUBELET_UNRECOGNISED;
}

static void join_entries(struct text *out, const struct resolv_list *list, size_t from,
			 const char *with)
{
	for (size_t i = from; i < list->n; i++)
		text_print(out, "%s%s", i > from ? with : "", list->at[i].text);
}

void kubelet_warn_unrecognised(const struct resolv *runtime_dns, const struct conf *c,
			       struct warnings *w)
{
	auto_text runtime_servers = TEXT_UP_TO(512), own_servers = TEXT_UP_TO(512);

	join_entries(&runtime_servers, &runtime_dns->nameservers, 0, ", ");
	for (size_t i = 0; i < c->cluster_dns.n; i++) {
		char text[ADDR_TEXT];

		addr_print(text, &c->cluster_dns.at[i]);
		text_print(&own_servers, "%s%s", i ? ", " : "", text);
	}
	warn(w, "unrecognised",
	     "a cluster-first configuration, but its servers (%s) are not clusterDNS (%s): left",
	     runtime_servers.at ? runtime_servers.at : "none",
	     own_servers.at ? own_servers.at : "none");
}

void kubelet_warn_other_domain(const struct resolv *runtime_dns, const struct conf *c,
			       struct warnings *w)
{
	warn(w, "other-domain",
	     "a cluster-first configuration, but its domain (%s) is not clusterDomain (%s): left",
	     runtime_dns->searches.at[KUBELET_SEARCHES - 1].text, c->cluster_domain);
}

/*** the parts ***/

static size_t leading_servers(const struct resolv_list *servers, const struct conf *c)
{
	size_t n = 0;

	if (!c->cluster_dns.n)
		return servers->n ? 1 : 0;
	while (n < servers->n && cluster_dns_has(c, servers->at[n].text))
		n++;
	return n;
}

/*
 * How many of the leading searches are kubelet's: its three, and the node's after them. kubelet
 * skips the node's duplicates and those longer than a domain name may be. *met counts the node's
 * searches that were found or skipped so.
 */
static size_t leading_searches(const struct resolv_list *searches, const struct resolv *node,
			       size_t *met)
{
	size_t n = KUBELET_SEARCHES;

	for (*met = 0; node && *met < node->searches.n && n < searches->n; (*met)++) {
		const char *text = node->searches.at[*met].text;
		const struct resolv_entry *at = resolv_find(searches, text);

		if ((at && at < &searches->at[n]) || strlen(text) > NAME_MAX_LEN)
			continue;
		if (strcmp(searches->at[n].text, text) != 0)
			break;
		n++;
	}
	return n;
}

void kubelet_warn_node(const struct inputs *in, struct warnings *w)
{
	const struct resolv_list *searches = &in->runtime_dns->searches;
	auto_text runtime = TEXT_UP_TO(400), node = TEXT_UP_TO(400);
	size_t met;

	if (leading_searches(searches, in->node, &met) == searches->n || !in->node ||
	    met == in->node->searches.n)
		return;
	join_entries(&runtime, searches, KUBELET_SEARCHES, " ");
	join_entries(&node, &in->node->searches, 0, " ");
	warn(w, "other-node-file",
	     "behind the cluster's searches the runtime has \"%s\", and the node's file \"%s\": "
	     "resolvConf may not be kubelet's; what differs is taken for the pod's own",
	     runtime.at ? runtime.at : "", node.at ? node.at : "");
}

/* Whether another option of the list has the same text before its first colon. */
static bool shares_name(const struct resolv_list *options, const struct resolv_entry *option)
{
	for (size_t i = 0; i < options->n; i++) {
		const struct resolv_entry *other = &options->at[i];

		if (other != option && other->key == option->key &&
		    memcmp(other->text, option->text, option->key) == 0)
			return true;
	}
	return false;
}

void kubelet_name_options(struct resolv_list *options, struct arena *a)
{
	for (size_t i = 0; i < options->n; i++) {
		struct resolv_entry option = options->at[i];
		const char *last = strrchr(option.text, ':');

		if (!last || last <= option.text + option.key ||
		    !shares_name(options, &options->at[i]))
			continue;
		option.key = (uint32_t)(last - option.text);
		resolv_replace(options, i, option, a);
	}
}

static void split(struct resolv_list *base, struct resolv_list *rest,
		  const struct resolv_list *list, size_t n, struct arena *a)
{
	for (size_t i = 0; i < list->n; i++) {
		struct resolv_entry entry = list->at[i];

		if (i >= n)
			entry.from = FROM_POD;
		resolv_add(i < n ? base : rest, entry, a);
	}
}

void kubelet_split(struct resolv *base, struct resolv *rest, const struct inputs *in)
{
	const struct resolv *all = in->runtime_dns;
	struct resolv_list options = all->options;
	size_t met;

	*base = *rest = (struct resolv){ 0 };
	split(&base->nameservers, &rest->nameservers, &all->nameservers,
	      leading_servers(&all->nameservers, in->conf), in->arena);
	split(&base->searches, &rest->searches, &all->searches,
	      leading_searches(&all->searches, in->node, &met), in->arena);
	kubelet_name_options(&options, in->arena);
	for (size_t i = 0; i < options.n; i++) {
		struct resolv_entry option = options.at[i];
		bool kubelets = strcmp(option.text, "ndots:5") == 0;

		if (!kubelets)
			option.from = FROM_POD;
		resolv_add(kubelets ? &base->options : &rest->options, option, in->arena);
	}
}
