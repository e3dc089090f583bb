/* SPDX-License-Identifier: Apache-2.0 */
/* health_sums.c: adds the counters of measured pods, by namespace. */
#include "pod-dnsctl/inventory/health_sums.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct health *namespace_sum(struct health_sums *s, const char *namespace, struct arena *a)
{
	struct health_sum *grown;

	for (size_t i = 0; i < s->n; i++)
		if (strcmp(s->at[i].namespace, namespace) == 0)
			return &s->at[i].sum;
	grown = realloc(s->at, (s->n + 1) * sizeof(*grown));
	if (!grown)
		return NULL;
	s->at = grown;
	grown[s->n] = (struct health_sum){ .namespace = arena_print(a, "%s", namespace) };
	return &grown[s->n++].sum;
}

/* Attachments of one pod share the tables: the first of them counts. */
static bool is_counted(struct health_sums *s, const struct record_netns *netns)
{
	char key[48];

	(void)snprintf(key, sizeof(key), "%ju:%ju", (uintmax_t)netns->id.dev,
		       (uintmax_t)netns->id.ino);
	if (!s->counted)
		s->counted = json_object();
	if (json_object_get(s->counted, key))
		return true;
	(void)json_object_set_new(s->counted, key, json_true());
	return false;
}

bool health_sums_add(struct health_sums *s, const struct view *v, struct arena *a, struct err *e)
{
	const char *namespace = v->record.pod.namespace;
	struct health now, *sum;
	bool there;

	if (!v->record.measured || is_counted(s, &v->record.netns))
		return true;
	if (!health_read(&now, &v->record.netns, &there, e))
		return false;
	sum = there ? namespace_sum(s, namespace ? namespace : "", a) : NULL;
	for (size_t i = 0; sum && i < HEALTH_COUNTERS; i++)
		sum->count[i] += now.count[i];
	return true;
}

void health_sums_done(struct health_sums *s)
{
	free(s->at);
	json_decref(s->counted);
}
