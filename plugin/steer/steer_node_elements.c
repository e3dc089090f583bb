/* SPDX-License-Identifier: Apache-2.0 */
/* steer_node_elements.c: an attachment's elements in the node's table. */
#include "cni/pod_addrs.h"
#include "steer/steer_node_private.h"

#include <errno.h>
#include <string.h>

enum {
	ROOM = 1280, /* bytes; enough for a transaction on one element */
	ROOM_OF_ALL = ADDRESSES_MAX * ROOM,
};

static bool add_element(const struct nl *nl, const struct addr *a, const char *name, struct err *e)
{
	char memory[ROOM];
	struct nft b;

	nft_begin(&b, memory, sizeof(memory), !addr_is_v4(a), RULES_TABLE);
	rules_pod_element(&b, a, name);
	return nft_end(&b, e) && nl_send(nl, &b.batch, NULL, e);
}

bool steer_node_element_find(const struct nl *nl, const struct addr *a,
			     struct steer_node_element *out, struct err *e)
{
	struct nft_element_found found;
	uint8_t key[NFT_KEY];
	size_t len = rules_pod_key(key, a);
	struct err fault = { 0 };
	int refused = 0;

	*out = (struct steer_node_element){ .there = false };
	if (nft_find_element(nl, !addr_is_v4(a), RULES_TABLE, RULES_PODS, key, len, &found,
			     &refused, &fault)) {
		out->there = true;
		memcpy(out->name, found.comment, sizeof(found.comment));
		return true;
	}
	if (refused == ENOENT)
		return true;
	return err_move(e, &fault);
}

static bool has_deleted;

bool steer_node_has_deleted(void)
{
	return has_deleted;
}

bool steer_node_forget(const struct nl *nl, const struct addr *list, size_t n, struct err *e)
{
	struct nft_address addresses[STEER_NODE_FORGET];

	has_deleted = has_deleted || n;
	for (size_t done = 0; done < n; done += LEN(addresses)) {
		size_t now = n - done < LEN(addresses) ? n - done : LEN(addresses);

		for (size_t i = 0; i < now; i++) {
			const struct addr *a = &list[done + i];

			addresses[i].v6 = !addr_is_v4(a);
			addresses[i].len = rules_pod_key(addresses[i].at, a);
		}
		if (!nft_forget(nl, RULES_TABLE, addresses, now, e))
			return false;
	}
	return true;
}

struct steer_node_elements steer_node_elements(const struct nl *nl, const struct rundir_lock *held,
					       const char *id, struct warnings *check)
{
	struct steer_node_elements x = { .nl = nl, .held = held, .check = check };

	steer_node_name(x.name, id);
	return x;
}

/* The name of the attachment that has the address according to the records; false: none. */
static bool name_of_owner(char out[static NFT_COMMENT], const struct rundir *r,
			  const struct addr *a)
{
	auto_steer_node_pods pods = { .r = r, .v6 = !addr_is_v4(a) };

	steer_node_pods_gather(&pods);
	for (size_t i = 0; i < pods.n; i++)
		if (addr_same(&pods.at[i].address, a)) {
			memcpy(out, pods.at[i].name, NFT_COMMENT);
			return true;
		}
	return false;
}

/* Whether a later attachment has the address: CHECK leaves that one's element. */
static bool is_anothers(const struct steer_node_elements *x, const struct addr *a)
{
	char name[NFT_COMMENT];

	return x->check && name_of_owner(name, x->held->run, a) && strcmp(name, x->name) != 0;
}

static void warn_restored(const struct steer_node_elements *x, const struct addr *a,
			  const char *what)
{
	char text[ADDR_TEXT];

	addr_print(text, a);
	if (x->check)
		warn(x->check, "restored", "steer: the element of %s %s: repaired", text, what);
}

/* Another's element of the pod's own address is stale, and so is what the sets know of it. */
static bool put_element(const struct steer_node_elements *x, const struct addr *a, struct err *e)
{
	struct steer_node_element found;

	if (!steer_node_element_find(x->nl, a, &found, e))
		return false;
	if (strcmp(found.name, x->name) == 0 || is_anothers(x, a))
		return true;
	if ((found.there && !steer_node_forget(x->nl, a, 1, e)) ||
	    !add_element(x->nl, a, x->name, e))
		return false;
	warn_restored(x, a, found.there ? "was a stranger's" : "was missing");
	return true;
}

/* In one transaction, which the kernel refuses if one of them is there. */
static bool put_all(const struct steer_node_elements *x, const struct steering *s,
		    const struct pod_addrs *list)
{
	char memory[ROOM_OF_ALL];
	struct nft b;

	nft_begin(&b, memory, sizeof(memory), false, RULES_TABLE);
	for (size_t i = 0; i < list->n; i++) {
		bool v6 = !addr_is_v4(&list->at[i]);

		if (!steering_has(s, v6))
			continue;
		nft_begin_table(&b, v6, RULES_TABLE);
		rules_pod_element(&b, &list->at[i], x->name);
	}
	return nft_end(&b, NULL) && nl_send(x->nl, &b.batch, NULL, NULL);
}

/* An element that another attachment owns stays as it is. */
static bool drop_listed(const struct steer_node_elements *x, const struct pod_addrs *list,
			struct err *e)
{
	struct pod_addrs own = { 0 };
	bool done = true;

	for (size_t i = 0; i < list->n; i++) {
		struct steer_node_element found;

		if (!steer_node_element_find(x->nl, &list->at[i], &found, e))
			done = false;
		else if (found.there && strcmp(found.name, x->name) == 0 &&
			 !pod_addrs_have(&own, &list->at[i]))
			own.at[own.n++] = list->at[i];
	}
	return steer_node_forget(x->nl, own.at, own.n, e) && done;
}

static bool drop_element(const struct steer_node_elements *x, const struct addr *a, struct err *e)
{
	return drop_listed(x, &(struct pod_addrs){ .n = 1, .at = { *a } }, e);
}

bool steer_node_elements_put(const struct steer_node_elements *x, const struct steering *s,
			     const struct pod_addrs *list, struct err *e)
{
	bool all = x->is_new && put_all(x, s, list);

	for (size_t i = 0; i < list->n; i++) {
		const struct addr *a = &list->at[i];

		if (!(steering_has(s, !addr_is_v4(a)) ? all || put_element(x, a, e)
						      : drop_element(x, a, e)))
			return false;
	}
	return true;
}

/* Collects the elements with the attachment's name, where no record tells its addresses. */
struct own {
	const char *name;
	struct pod_addrs found;
};

static bool note_own(const struct nft_element_found *found, void *context)
{
	struct own *own = context;
	struct addr a;

	if (strcmp(found->comment, own->name) == 0 && rules_pod_of_key(&a, found))
		own->found.at[own->found.n++] = a;
	return own->found.n < ADDRESSES_MAX;
}

static bool drop_unknown(const struct steer_node_elements *x, struct err *e)
{
	bool done = true;

	for (int v6 = 0; v6 < 2; v6++) {
		struct own own = { .name = x->name };
		struct err fault = { 0 };
		int refused = 0;

		if (!nft_each_element(x->nl, v6, RULES_TABLE, RULES_PODS, note_own, &own, &refused,
				      &fault) &&
		    refused != ENOENT) {
			done = err_move(e, &fault);
		}
		done = drop_listed(x, &own.found, e) && done;
	}
	return done;
}

bool steer_node_elements_drop(const struct steer_node_elements *x, const struct pod_addrs *list,
			      struct err *e)
{
	return list ? drop_listed(x, list, e) : drop_unknown(x, e);
}
