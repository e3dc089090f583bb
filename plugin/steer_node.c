/* steer_node.c: steering by the node's table: an element a pod. */
#include "steer_node.h"
#include "record.h"
#include "table.h"
#include "text.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* A folder that says: this node has had a table since it came up. Else nobody need ask for one. */
#define MARK ".node"

enum { ELEMENT_ROOM = 320 }; /* bytes of an element's message, and more */

/* NETWORK/CONTAINERID@IFNAME; where that is longer than a comment may be, its end is a hash. */
static void name_of(char out[static NFT_COMMENT], const char *record)
{
	size_t len = strlen(record) - strlen(".json");

	if (len < NFT_COMMENT)
		(void)snprintf(out, NFT_COMMENT, "%.*s", (int)len, record);
	else
		(void)snprintf(out, NFT_COMMENT, "%.100s#%016" PRIx64, record,
			       text_hash(record, strlen(record)));
}

/*** the node's table ***/

struct pods {
	const struct rundir *r;
	struct nft *b;
	bool v6;
	size_t n;
};

static void put_pod(const char *record, void *context)
{
	struct pods *pods = context;
	json_auto_t *content = NULL;
	char name[NFT_COMMENT];
	const json_t *steering;
	struct steering s;
	json_t *text;
	size_t i;

	if (record_read(&content, pods->r, record) != RECORD_KNOWN)
		return;
	steering = json_object_get(content, "steering");
	if (!steering_parse(&s, steering) || s.mode != STEER_NODE)
		return;
	name_of(name, record);
	json_array_foreach (json_object_get(steering, "addresses"), i, text) {
		struct addr a;

		if (!addr_parse(&a, json_string_value(text)) || addr_is_v4(&a) == pods->v6)
			continue;
		pods->n++;
		if (pods->b)
			rules_pod_element(pods->b, &a, name);
	}
}

static void put_pods(struct nft *b, void *context)
{
	struct pods *pods = context;

	pods->b = b;
	record_each_path(pods->r, NULL, put_pod, pods);
}

static size_t room_of_pods(void *context)
{
	struct pods *pods = context;

	pods->b = NULL;
	pods->n = 0;
	record_each_path(pods->r, NULL, put_pod, pods);
	return (pods->n + 1) * ELEMENT_ROOM;
}

/* The table with all pods that the records know, in one transaction; with `check`, rule by rule. */
static bool put_table(const struct nl *nl, const struct rundir *r, struct steering *s, bool v6,
		      struct warnings *check, struct err *e)
{
	struct pods pods = { .r = r, .v6 = v6 };
	struct table_more more = { room_of_pods, put_pods, &pods };
	struct table t = { nl, s, v6, &more };

	return check ? table_check(&t, check, e) : table_install(&t, e);
}

static bool put_tables(const struct nl *nl, const struct rundir *r, struct steering *s,
		       struct warnings *check, struct err *e)
{
	for (int v6 = 0; v6 < 2; v6++)
		if (rules_has(s, v6) && !put_table(nl, r, s, v6, check, e))
			return false;
	return true;
}

static bool send_elements(const struct nl *nl, const struct addr *a, const char *name, bool delete,
			  bool add, int *refused, struct err *e)
{
	char memory[4 * ELEMENT_ROOM];
	struct nft b;

	nft_begin(&b, memory, sizeof(memory), !addr_is_v4(a), RULES_TABLE);
	if (delete)
		rules_delete_pod_element(&b, a);
	if (add)
		rules_pod_element(&b, a, name);
	return nft_end(&b, e) && nl_send(nl, &b.batch, refused, e);
}

static bool find_element(const struct nl *nl, const struct addr *a, struct nft_element_found *found)
{
	uint8_t key[NFT_KEY];
	size_t len = rules_pod_key(key, a);
	struct err ignored = { 0 };
	int refused = 0;

	return nft_find_element(nl, !addr_is_v4(a), RULES_TABLE, RULES_PODS, key, len, found,
				&refused, &ignored);
}

/* A stranger's element of a pod's own address is stale: it is replaced in one transaction. */
static bool add_element(const struct nl *nl, const struct addr *a, const char *name, struct err *e)
{
	struct nft_element_found found;
	struct err fault = { 0 };
	int refused = 0;

	if (send_elements(nl, a, name, false, true, &refused, &fault))
		return true;
	if (refused != EEXIST) {
		*e = fault;
		return false;
	}
	if (find_element(nl, a, &found) && strcmp(found.comment, name) == 0)
		return true;
	return send_elements(nl, a, name, true, true, &refused, e);
}

static void delete_element(const struct nl *nl, const struct addr *a, const char *name, bool others,
			   struct warnings *w)
{
	struct nft_element_found found;
	struct err fault = { 0 };
	int refused = 0;

	if (!find_element(nl, a, &found) || (strcmp(found.comment, name) == 0) == others)
		return;
	if (!send_elements(nl, a, NULL, true, false, &refused, &fault) && refused != ENOENT)
		warn(w, "steer", "%s", fault.text);
}

/* An element for each address of a family that is steered, and none for another (any more). */
static bool put_elements(const struct nl *nl, const char *record, const struct steering *s,
			 const json_t *addresses, struct warnings *w, struct err *e)
{
	char name[NFT_COMMENT];
	json_t *text;
	size_t i;

	name_of(name, record);
	json_array_foreach (addresses, i, text) {
		struct addr a;

		if (!addr_parse(&a, json_string_value(text)))
			continue;
		if (!rules_has(s, !addr_is_v4(&a)))
			delete_element(nl, &a, name, false, w);
		else if (!add_element(nl, &a, name, e))
			return false;
	}
	return true;
}

bool steer_node_install(const struct rundir *r, const char *record, struct steering *s,
			const json_t *addresses, struct warnings *w, struct err *e)
{
	auto_nl nl = NL_CLOSED;

	return rundir_mkdir(r, MARK, e) && nl_open_in(&nl, -1, e) &&
	       put_tables(&nl, r, s, NULL, e) && put_elements(&nl, record, s, addresses, w, e);
}

void steer_node_delete(const struct rundir *r, const char *record, const json_t *addresses,
		       bool others, struct warnings *w)
{
	char name[NFT_COMMENT];
	auto_nl nl = NL_CLOSED;
	struct err fault = { 0 };
	json_t *text;
	size_t i;

	if (!json_array_size(addresses) || faccessat(r->fd, MARK, F_OK, 0) < 0 ||
	    !nl_open_in(&nl, -1, &fault))
		return;
	name_of(name, record);
	json_array_foreach (addresses, i, text) {
		struct addr a;

		if (addr_parse(&a, json_string_value(text)))
			delete_element(&nl, &a, name, others, w);
	}
}

bool steer_node_check(const struct rundir *r, const char *record, const json_t *addresses,
		      struct steering *s, struct warnings *w, struct err *e)
{
	auto_nl nl = NL_CLOSED;

	return nl_open_in(&nl, -1, e) && put_tables(&nl, r, s, w, e) &&
	       put_elements(&nl, record, s, addresses, w, e);
}

/*** strays ***/

struct strays {
	const struct rundir *r;
	const struct nl *nl;
	const char *network;
	struct warnings *w;
	struct addr at[512];
	size_t n;
};

/* Whether the name is of this network, and its record is not there. */
static bool is_stray(const struct strays *s, const char *name)
{
	size_t len = strlen(s->network);
	char record[NFT_COMMENT + 8];

	if (strncmp(name, s->network, len) != 0 || name[len] != '/' || strchr(name, '#'))
		return false;
	(void)snprintf(record, sizeof(record), "%s.json", name);
	return faccessat(s->r->fd, record, F_OK, 0) < 0 && errno == ENOENT;
}

static bool note_stray(const struct nft_element_found *found, void *context)
{
	struct strays *s = context;

	if (is_stray(s, found->comment) && rules_pod_of_key(&s->at[s->n], found))
		s->n++;
	return s->n < LEN(s->at);
}

/* Any one record that steers by the node's table stands for its rules. */
static void find_node_steering(const char *record, void *context)
{
	struct pods *pods = context;
	json_auto_t *content = NULL;
	struct steering s;

	if (!pods->n && record_read(&content, pods->r, record) == RECORD_KNOWN &&
	    steering_parse(&s, json_object_get(content, "steering")) && s.mode == STEER_NODE) {
		struct err fault = { 0 };
		auto_nl nl = NL_CLOSED;

		pods->n = 1;
		if (nl_open_in(&nl, -1, &fault))
			(void)put_tables(&nl, pods->r, &s, NULL, &fault);
	}
}

void steer_node_collect(const struct rundir *r, const char *network, struct warnings *w)
{
	static struct strays s; /* large */
	struct pods any = { .r = r };
	auto_nl nl = NL_CLOSED;
	struct err fault = { 0 };

	record_each_path(r, NULL, find_node_steering, &any);
	if (!nl_open_in(&nl, -1, &fault))
		return;
	for (int v6 = 0; v6 < 2; v6++) {
		int refused = 0;

		s = (struct strays){ .r = r, .nl = &nl, .network = network, .w = w };
		(void)nft_each_element(&nl, v6, RULES_TABLE, RULES_PODS, note_stray, &s, &refused,
				       &fault);
		for (size_t i = 0; i < s.n; i++)
			delete_element(&nl, &s.at[i], "", true, w);
	}
}
