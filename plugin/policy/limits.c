/* SPDX-License-Identifier: Apache-2.0 */
/* limits.c: cuts the lists to `limits`. */
#include "policy/limits.h"
#include "dnsname.h"
#include "text.h"

#include <string.h>

static size_t joined_length(const struct resolv_list *list)
{
	size_t chars = list->n ? list->n - 1 : 0;

	for (size_t i = 0; i < list->n; i++)
		chars += strlen(list->at[i].text);
	return chars;
}

/* In the order of kubelet's formDNSSearchFitsLimits: count, long entries, length of all. */
static void limit_searches(struct resolv_list *list, const struct limits *limits,
			   struct warnings *w)
{
	size_t before = list->n;

	if (list->n > limits->searches)
		list->n = limits->searches;
	for (size_t i = list->n; i-- > 0;)
		if (strlen(list->at[i].text) > NAME_MAX_LEN)
			resolv_remove(list, i, w->arena);
	while (list->n && joined_length(list) > limits->search_chars)
		list->n--;
	if (list->n < before)
		warn(w, "search-limit",
		     "%zu of %zu searches dropped: more than %u, longer than %d characters, or "
		     "longer than %u in all",
		     before - list->n, before, limits->searches, NAME_MAX_LEN,
		     limits->search_chars);
}

/* Whether a server is the operator's addition and one of the pod's follows it. */
static bool gives_way(const struct resolv_list *servers, size_t i)
{
	int from = servers->at[i].from;

	if (from != FROM_NETWORK && from < FROM_RULE)
		return false;
	while (++i < servers->n)
		if (servers->at[i].from == FROM_POD)
			return true;
	return false;
}

/* The next server to drop: the last of the operator's before one of the pod's, else the last. */
static size_t surplus_server(const struct resolv_list *servers)
{
	for (size_t i = servers->n; i-- > 0;)
		if (gives_way(servers, i))
			return i;
	return servers->n - 1;
}

static void limit_servers(struct resolv_list *list, const struct limits *limits, struct warnings *w)
{
	auto_text dropped = TEXT_UP_TO(512);
	size_t before = list->n;

	while (list->n > limits->nameservers) {
		size_t i = surplus_server(list);

		text_print(&dropped, "%s%s", dropped.len ? ", " : "", list->at[i].text);
		resolv_remove(list, i, w->arena);
	}
	if (list->n < before)
		warn(w, "nameserver-limit", "%zu nameservers, %u at most: %s dropped", before,
		     limits->nameservers, text_ok(&dropped) ? dropped.at : "some");
}

void limits_apply(struct resolv *r, const struct limits *limits, struct warnings *w)
{
	limit_servers(&r->nameservers, limits, w);
	limit_searches(&r->searches, limits, w);
	if (r->nameservers.lost || r->searches.lost || r->options.lost)
		warn(w, "entries-lost", "a list holds more than %d entries: the rest is dropped",
		     RESOLV_MAX);
}
