/* SPDX-License-Identifier: Apache-2.0 */
/* steer_node_pods.c: the pods that, by their records, the node's table steers. */
#include "netns.h"
#include "steer/steer_node_private.h"
#include "text.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ELEMENT_ROOM = 320 }; /* bytes; enough for the message of an element */

void steer_node_name(char out[static NFT_COMMENT], const char *id)
{
	size_t len = strlen(id) - strlen(".json");

	if (len < NFT_COMMENT)
		(void)snprintf(out, NFT_COMMENT, "%.*s", (int)len, id);
	else
		(void)snprintf(out, NFT_COMMENT, "%.100s%c%016" PRIx64, id, STEER_NODE_HASH_MARK,
			       text_hash(id, strlen(id)));
}

void steer_node_pods_free(struct steer_node_pods *pods)
{
	free(pods->at);
}

static struct steer_node_pod *grow_pods(struct steer_node_pods *pods)
{
	if (pods->n == pods->room) {
		size_t room = pods->room ? 2 * pods->room : 64;
		struct steer_node_pod *at = realloc(pods->at, room * sizeof(*at));

		if (!at)
			return NULL;
		pods->at = at;
		pods->room = room;
	}
	return &pods->at[pods->n++];
}

bool steer_node_steering(struct steering *s, struct pod_addrs *pod_addrs, const struct rundir *r,
			 const char *id)
{
	auto_record record = RECORD_BLANK;

	if (record_read(&record, r, id) != RECORD_KNOWN)
		return false;
	*pod_addrs = record.steering.pod_addrs;
	*s = record.steering.plan;
	return netns_is(record.netns.path, record.netns.id, record.netns.cookie) &&
	       record_has_steering(&record) && s->mode == STEER_NODE;
}

/* Adds the addresses of the attachment that made the claim. */
static void add_pods(struct steer_node_pods *pods, const char *id, size_t age)
{
	struct pod_addrs pod_addrs;
	struct steering s;

	if (!steer_node_steering(&s, &pod_addrs, pods->r, id))
		return;
	for (size_t i = 0; i < pod_addrs.n; i++) {
		struct steer_node_pod *pod =
			addr_is_v4(&pod_addrs.at[i]) != pods->v6 ? grow_pods(pods) : NULL;

		if (!pod)
			continue;
		pod->address = pod_addrs.at[i];
		pod->age = age;
		steer_node_name(pod->name, id);
	}
}

static int by_address_newest_first(const void *a, const void *b)
{
	const struct steer_node_pod *x = a, *y = b;
	int order = memcmp(&x->address, &y->address, sizeof(x->address));

	return order ? order : x->age < y->age ? -1 : 1;
}

void steer_node_pods_gather(struct steer_node_pods *pods)
{
	struct arena a = { 0 };
	struct claim_list claims;
	size_t n = 0;

	pods->n = 0;
	(void)claim_list(&claims, pods->r, STEER_NODE_CLAIMS, &a);
	for (size_t i = 0; i < claims.n; i++)
		add_pods(pods, claims.at[i].id, i);
	arena_done(&a);
	if (pods->n)
		qsort(pods->at, pods->n, sizeof(*pods->at), by_address_newest_first);
	for (size_t i = 0; i < pods->n; i++)
		if (!n || !addr_same(&pods->at[i].address, &pods->at[n - 1].address))
			pods->at[n++] = pods->at[i];
	pods->n = n;
}

static size_t room_of_pods(void *context)
{
	struct steer_node_pods *pods = context;

	steer_node_pods_gather(pods);
	return (pods->n + 1) * ELEMENT_ROOM;
}

static void put_pods(struct nft *b, void *context)
{
	const struct steer_node_pods *pods = context;

	for (size_t i = 0; i < pods->n; i++)
		rules_pod_element(b, &pods->at[i].address, pods->at[i].name);
}

struct table_more steer_node_pods_more(struct steer_node_pods *pods)
{
	return (struct table_more){ room_of_pods, put_pods, pods };
}
