/* SPDX-License-Identifier: Apache-2.0 */
/* steer_node.c: steering by the node's table, with an element for each address of a pod. */
#include "cni/pod_addrs.h"
#include "steer/steer_node.h"
#include "steer/steer_node_private.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>

bool steer_node_is_used(const struct rundir *r)
{
	return faccessat(r->fd, STEER_NODE_CLAIMS, F_OK, 0) == 0;
}

/*** the table ***/

/* Installs the tables with all pods of the records in one transaction; with `check`, compares them.
 */
static bool put_tables(const struct nl *nl, const struct rundir *r, struct steering *s,
		       struct warnings *check, struct err *e)
{
	auto_steer_node_pods v4_pods = { .r = r, .v6 = false };
	auto_steer_node_pods v6_pods = { .r = r, .v6 = true };
	struct table_more more[2] = { steer_node_pods_more(&v4_pods),
				      steer_node_pods_more(&v6_pods) };
	struct table tables[2];
	size_t n = 0;

	for (int v6 = 0; v6 < 2; v6++)
		if (steering_has(s, v6))
			tables[n++] = (struct table){ nl, s, v6, &more[v6] };
	for (size_t i = 0; check && i < n; i++)
		if (!table_check(&tables[i], check, e))
			return false;
	return check || table_install(tables, n, e);
}

/* The table is made as the newest ADD wanted. False: no pod needs it. */
static bool wanted(struct steering *s, const struct rundir *r)
{
	struct arena a = { 0 };
	struct pod_addrs ignored;
	struct claim_list claims;
	bool found = false;

	(void)claim_list(&claims, r, STEER_NODE_CLAIMS, &a);
	for (size_t i = 0; i < claims.n && !found; i++)
		found = steer_node_steering(s, &ignored, r, claims.at[i].id);
	arena_done(&a);
	return found;
}

/* If the kernel gives no answer, nothing is to be done. */
static bool has_table(const struct nl *nl, bool v6)
{
	struct err e = { 0 };
	bool ours;

	return table_is_there(nl, v6, &ours, &e) || e.code;
}

static bool some_are_missing(const struct nl *nl, const struct rundir *r, struct steering *s)
{
	const bool v4 = has_table(nl, false), v6 = has_table(nl, true);

	return !(v4 && v6) && wanted(s, r) &&
	       ((!v4 && steering_has(s, false)) || (!v6 && steering_has(s, true)));
}

void steer_node_restore(const struct rundir_lock *held, struct warnings *w)
{
	auto_nl nl = NL_CLOSED;
	struct steering s;
	struct err e = { 0 };

	if (!steer_node_is_used(held->run) || !nl_open_in(&nl, -1, &e) ||
	    !some_are_missing(&nl, held->run, &s))
		return;
	if (put_tables(&nl, held->run, &s, NULL, &e))
		warn(w, "restored", "steer: the node's table was missing: made again");
	else
		warn(w, "steer", "%s", e.text);
}

/* Removes the claim of the attachment of that name. From a hash no record can be found. */
static void disclaim(const struct rundir_lock *held, const char *name)
{
	char id[NFT_COMMENT + sizeof(".json")];

	(void)snprintf(id, sizeof(id), "%s.json", name);
	if (!strchr(name, STEER_NODE_HASH_MARK))
		(void)claim_remove(held, STEER_NODE_CLAIMS, id, NULL);
}

/*** an attachment ***/

static bool install_elements(const struct nl *nl, const struct rundir_lock *held, const char *id,
			     bool new, struct steering *s, const struct pod_addrs *list,
			     struct err *e)
{
	struct steer_node_elements x = steer_node_elements(nl, held, id, NULL);

	x.is_new = new;
	if (put_tables(nl, held->run, s, NULL, e) && steer_node_elements_put(&x, s, list, e))
		return true;
	(void)steer_node_elements_drop(&x, list, NULL);
	return false;
}

bool steer_node_install(const struct rundir_lock *held, const struct pod_netns *netns,
			const char *id, struct steering *s, const struct pod_addrs *list,
			struct err *e)
{
	bool new = !claim_is_made(held->run, STEER_NODE_CLAIMS, id);
	auto_nl nl = NL_CLOSED;

	if (netns->own)
		return err_set(e, ERR_STEER, "CNI_NETNS is the plugin's own namespace");
	if (claim_add(held, STEER_NODE_CLAIMS, id, e) && nl_open_in(&nl, -1, e) &&
	    install_elements(&nl, held, id, new, s, list, e))
		return true;
	(void)claim_remove(held, STEER_NODE_CLAIMS, id, NULL);
	return false;
}

bool steer_node_check(const struct rundir_lock *held, const char *id, const struct pod_addrs *list,
		      struct warnings *w, struct err *e)
{
	auto_nl nl = NL_CLOSED;
	struct steer_node_elements x = steer_node_elements(&nl, held, id, w);
	struct steering s;

	if (!claim_is_made(held->run, STEER_NODE_CLAIMS, id) &&
	    !claim_add(held, STEER_NODE_CLAIMS, id, e))
		return false;
	if (!wanted(&s, held->run))
		return true;
	return nl_open_in(&nl, -1, e) && put_tables(&nl, held->run, &s, w, e) &&
	       steer_node_elements_put(&x, &s, list, e);
}

bool steer_node_release(const struct rundir_lock *held, const char *id,
			const struct pod_addrs *list, struct err *e)
{
	auto_nl nl = NL_CLOSED;
	struct steer_node_elements x = steer_node_elements(&nl, held, id, NULL);

	if (!steer_node_is_used(held->run))
		return true;
	return nl_open_in(&nl, -1, e) && steer_node_elements_drop(&x, list, e) &&
	       claim_remove(held, STEER_NODE_CLAIMS, id, e);
}

bool steer_node_drop_addresses(const struct rundir_lock *held, const char *id,
			       const struct pod_addrs *before, const struct pod_addrs *now,
			       struct err *e)
{
	struct pod_addrs gone = { 0 };
	auto_nl nl = NL_CLOSED;
	struct steer_node_elements x = steer_node_elements(&nl, held, id, NULL);

	for (size_t i = 0; i < before->n; i++)
		if (!pod_addrs_have(now, &before->at[i]))
			gone.at[gone.n++] = before->at[i];
	return !gone.n || (nl_open_in(&nl, -1, e) && steer_node_elements_drop(&x, &gone, e));
}

static void drop_stale_element(const struct steer_node_elements *x, const struct addr *a,
			       struct warnings *w)
{
	struct steer_node_element found;
	struct err e = { 0 };
	bool ours;

	if (!steer_node_element_find(x->nl, a, &found, &e) || !found.there ||
	    strcmp(found.name, x->name) == 0)
		return;
	if (!table_is_there(x->nl, !addr_is_v4(a), &ours, &e) || !ours)
		return;
	disclaim(x->held, found.name);
	if (!steer_node_element_delete(x->nl, a, &e))
		warn(w, "steer", "%s", e.text);
}

/* One family alone is missed where no pod waits for it: that takes a look at every claim. */
void steer_node_drop_stale(const struct rundir_lock *held, const char *id,
			   const struct pod_addrs *list, struct warnings *w)
{
	auto_nl nl = NL_CLOSED;
	struct steer_node_elements x = steer_node_elements(&nl, held, id, NULL);

	if (!steer_node_is_used(held->run) || !nl_open_in(&nl, -1, NULL))
		return;
	if (!has_table(&nl, false) && !has_table(&nl, true))
		steer_node_restore(held, w);
	for (size_t i = 0; i < list->n; i++)
		drop_stale_element(&x, &list->at[i], w);
}
