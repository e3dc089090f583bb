/* SPDX-License-Identifier: Apache-2.0 */
/* merge.c: merges resolver configurations as kubelet does. */
#include "policy/merge.h"
#include "arena.h"

#include <string.h>

void merge_append(struct resolv_list *list, const struct resolv_list *more)
{
	for (size_t i = 0; i < more->n; i++)
		resolv_add(list, more->at[i]);
}

void merge_unique(struct resolv_list *list)
{
	for (size_t i = list->n; i-- > 0;)
		if (resolv_find(list, list->at[i].text) != &list->at[i])
			resolv_remove(list, i);
}

/* As kubelet's mergeDNSOptions: "name:" becomes "name", and ":" is dropped. */
static void strip_empty_values(struct resolv_list *options, struct arena *a)
{
	for (size_t i = options->n; i-- > 0;) {
		struct resolv_entry *o = &options->at[i];
		const char *value = resolv_option_value(o);

		if (value && !*value && !o->key)
			resolv_remove(options, i);
		else if (value && !*value)
			o->text = arena_print(a, "%.*s", (int)o->key, o->text);
	}
}

/* Keeps each option once: the last value wins, as in kubelet's map, at the first one's place. */
static void collapse(struct resolv_list *options)
{
	for (size_t i = 0; i < options->n;) {
		const struct resolv_entry *o = &options->at[i];
		struct resolv_entry *first = resolv_find_key(options, o->text, o->key);

		if (first == o) {
			i++;
			continue;
		}
		*first = *o;
		resolv_remove(options, i);
	}
}

/* Replaces a lower layer's option, which the entry remembers as displaced. */
static void displace(struct resolv_entry *lower, const struct resolv_entry *by, struct arena *a)
{
	struct resolv_entry gone = *lower;

	*lower = *by;
	if (strcmp(gone.text, by->text) == 0)
		lower->displaced = gone.displaced;
	else if (gone.displaced)
		lower->displaced = arena_print(a, "%s %s", gone.displaced, gone.text);
	else
		lower->displaced = gone.text;
}

void merge_layer(struct resolv *r, const struct resolv *layer, struct arena *a)
{
	merge_append(&r->nameservers, &layer->nameservers);
	merge_unique(&r->nameservers);
	merge_append(&r->searches, &layer->searches);
	merge_unique(&r->searches);
	collapse(&r->options);
	strip_empty_values(&r->options, a);
	for (size_t i = 0; i < layer->options.n; i++) {
		const struct resolv_entry *o = &layer->options.at[i];
		struct resolv_entry *lower = resolv_find_key(&r->options, o->text, o->key);

		if (lower)
			displace(lower, o, a);
		else
			resolv_add(&r->options, *o);
	}
}
