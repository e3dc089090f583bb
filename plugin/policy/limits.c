/* limits.c: how many servers and searches a pod gets. */
#include "policy/limits.h"
#include "name.h"

#include <string.h>

static size_t joined_length(const struct resolv_list *list)
{
	size_t chars = list->n ? list->n - 1 : 0;

	for (size_t i = 0; i < list->n; i++)
		chars += strlen(list->at[i].text);
	return chars;
}

/* formDNSSearchFitsLimits, in its order: count, then long entries, then the length in all. */
static void limit_searches(struct resolv_list *list, const struct limits *limits,
			   struct warnings *w)
{
	size_t before = list->n;

	if (list->n > limits->searches)
		list->n = limits->searches;
	for (size_t i = 0; i < list->n;) {
		if (strlen(list->at[i].text) > NAME_MAX_LEN)
			resolv_remove(list, i);
		else
			i++;
	}
	while (list->n && joined_length(list) > limits->search_chars)
		list->n--;
	if (list->n < before)
		warn(w, "search-limit",
		     "%zu of %zu searches dropped: more than %u, longer than %d characters, or "
		     "longer than %u in all",
		     before - list->n, before, limits->searches, NAME_MAX_LEN,
		     limits->search_chars);
}

void limits_apply(struct resolv *r, const struct limits *limits, struct warnings *w)
{
	struct resolv_list *servers = &r->nameservers;

	if (servers->n > limits->nameservers) {
		warn(w, "nameserver-limit", "%zu nameservers: all after the first %u dropped",
		     servers->n, limits->nameservers);
		servers->n = limits->nameservers;
	}
	limit_searches(&r->searches, limits, w);
	if (r->nameservers.lost || r->searches.lost || r->options.lost)
		warn(w, "entries-lost", "a list holds more than %d entries: the rest is dropped",
		     RESOLV_MAX);
}
