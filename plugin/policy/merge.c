/* SPDX-License-Identifier: Apache-2.0 */
/* merge.c: merges resolver configurations as kubelet does. */
#include "policy/merge.h"
#include "arena.h"

#include <string.h>

void merge_append(struct resolv_list *list, const struct resolv_list *more, struct arena *a)
{
	for (size_t i = 0; i < more->n; i++)
		resolv_add(list, more->at[i], a);
}

void merge_unique(struct resolv_list *list, struct arena *a)
{
	for (size_t i = list->n; i-- > 0;)
		if (resolv_find(list, list->at[i].text) != &list->at[i])
			resolv_remove(list, i, a);
}

/* Does what kubelet's mergeDNSOptions does: "name:" becomes "name", and ":" is dropped. */
static void strip_empty_values(struct resolv_list *options, struct arena *a)
{
	for (size_t i = options->n; i-- > 0;) {
		struct resolv_entry o = options->at[i];
		const char *value = resolv_option_value(&o);

		if (!value || *value)
			continue;
		o.text = arena_print(a, "%.*s", (int)o.key, o.text);
		if (o.key)
			resolv_replace(options, i, o, a);
		else
			resolv_remove(options, i, a);
	}
}

/* Keeps each option once: the last value wins, as in kubelet's map, at the first one's place. */
static void collapse(struct resolv_list *options, struct arena *a)
{
	for (size_t i = 0; i < options->n;) {
		const struct resolv_entry *o = &options->at[i];
		const struct resolv_entry *first = resolv_find_key(options, o->text, o->key);

		if (first == o) {
			i++;
			continue;
		}
		resolv_replace(options, (size_t)(first - options->at), *o, a);
		resolv_remove(options, i, a);
	}
}

/* `by` in the place of a lower layer's option, which it remembers as displaced. */
static struct resolv_entry displace(const struct resolv_entry *lower, struct resolv_entry by,
				    struct arena *a)
{
	if (strcmp(lower->text, by.text) == 0)
		by.displaced = lower->displaced;
	else if (lower->displaced)
		by.displaced = arena_print(a, "%s %s", lower->displaced, lower->text);
	else
		by.displaced = lower->text;
	return by;
}

void merge_layer(struct resolv *r, const struct resolv *layer, struct arena *a)
{
	struct resolv_list *options = &r->options;

	merge_append(&r->nameservers, &layer->nameservers, a);
	merge_unique(&r->nameservers, a);
	merge_append(&r->searches, &layer->searches, a);
	merge_unique(&r->searches, a);
	collapse(options, a);
	strip_empty_values(options, a);
	for (size_t i = 0; i < layer->options.n; i++) {
		const struct resolv_entry *o = &layer->options.at[i];
		const struct resolv_entry *lower = resolv_find_key(options, o->text, o->key);

		if (lower)
			resolv_replace(options, (size_t)(lower - options->at),
				       displace(lower, *o, a), a);
		else
			resolv_add(options, *o, a);
	}
}
