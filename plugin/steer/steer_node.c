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

struct wanted {
	const struct rundir *r;
	struct steering *s;
};

static bool wants_table(const char *id, void *context)
{
	const struct wanted *wanted = context;
	struct pod_addrs ignored;

	return steer_node_steering(wanted->s, &ignored, wanted->r, id);
}

/* The table is made as the newest ADD wanted. False: no pod needs it. */
static bool find_wanted_steering(struct steering *s, const struct rundir *r)
{
	return claim_find(r, STEER_NODE_CLAIMS, wants_table, &(struct wanted){ r, s });
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

	return !(v4 && v6) && find_wanted_steering(s, r) &&
	       ((!v4 && steering_has(s, false)) || (!v6 && steering_has(s, true)));
}

/* Whether the tables are made as `s` wants: then no newer ADD has wanted others. */
static bool is_as(const struct nl *nl, struct steering *s)
{
	for (int v6 = 0; v6 < 2; v6++) {
		const struct table t = { .nl = nl, .s = s, .v6 = v6 };

		if (steering_has(s, v6) ? !table_is_as_wanted(&t) : has_table(nl, v6))
			return false;
	}
	return true;
}

void steer_node_restore(const struct rundir_lock *held, struct warnings *w)
{
	struct steering s;
	struct err e = { 0 };
	const struct nl *nl = steer_node_is_used(held->run) ? steer_node_nl(&e) : NULL;

	if (!nl || !some_are_missing(nl, held->run, &s))
		return;
	if (put_tables(nl, held->run, &s, NULL, &e))
		warn(w, "restored", "steer: the node's table was missing: made again");
	else
		warn(w, "steer", "%s", e.text);
}

/* Removes the claim of the attachment of that name. From a hash no record can be found. */
static void remove_claim_of(const struct rundir_lock *held, const char *name)
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
	const struct nl *nl;

	if (netns->own)
		return err_set(e, ERR_STEER, "CNI_NETNS is the plugin's own namespace");
	nl = steer_node_nl(e);
	if (nl && claim_add(held, STEER_NODE_CLAIMS, id, e) &&
	    install_elements(nl, held, id, new, s, list, e))
		return true;
	(void)claim_remove(held, STEER_NODE_CLAIMS, id, NULL);
	return false;
}

bool steer_node_check(const struct rundir_lock *held, const char *id,
		      const struct record_steering *own, struct warnings *w, struct err *e)
{
	const struct nl *nl = steer_node_nl(e);
	struct steer_node_elements x = steer_node_elements(nl, held, id, w);
	struct steering s = own->plan;

	if (!nl)
		return false;
	if (!claim_is_made(held->run, STEER_NODE_CLAIMS, id) &&
	    !claim_add(held, STEER_NODE_CLAIMS, id, e))
		return false;
	if (!is_as(nl, &s) && !find_wanted_steering(&s, held->run))
		return true;
	return put_tables(nl, held->run, &s, w, e) &&
	       steer_node_elements_put(&x, &s, &own->pod_addrs, e);
}

bool steer_node_release(const struct rundir_lock *held, const char *id,
			const struct pod_addrs *list, struct err *e)
{
	const struct nl *nl = steer_node_is_used(held->run) ? steer_node_nl(e) : NULL;
	struct steer_node_elements x = steer_node_elements(nl, held, id, NULL);

	if (!nl) /* without claims there is nothing */
		return !steer_node_is_used(held->run);
	return steer_node_elements_drop(&x, list, e) &&
	       claim_remove(held, STEER_NODE_CLAIMS, id, e);
}

bool steer_node_drop_addresses(const struct rundir_lock *held, const char *id,
			       const struct pod_addrs *before, const struct pod_addrs *now,
			       struct err *e)
{
	struct pod_addrs gone = { 0 };
	struct steer_node_elements x;
	const struct nl *nl;

	for (size_t i = 0; i < before->n; i++)
		if (!pod_addrs_have(now, &before->at[i]))
			gone.at[gone.n++] = before->at[i];
	if (!gone.n)
		return true;
	nl = steer_node_nl(e);
	x = steer_node_elements(nl, held, id, NULL);
	return nl && steer_node_elements_drop(&x, &gone, e);
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
	remove_claim_of(x->held, found.name);
	if (!steer_node_forget(x->nl, a, 1, &e))
		warn(w, "steer", "%s", e.text);
}

/* One family alone is missed where no pod waits for it: that takes a look at every claim. */
void steer_node_drop_stale(const struct rundir_lock *held, const char *id,
			   const struct pod_addrs *list, struct warnings *w)
{
	const struct nl *nl = steer_node_is_used(held->run) ? steer_node_nl(NULL) : NULL;
	struct steer_node_elements x = steer_node_elements(nl, held, id, NULL);

	if (!nl)
		return;
	if (!has_table(nl, false) && !has_table(nl, true))
		steer_node_restore(held, w);
	for (size_t i = 0; i < list->n; i++)
		drop_stale_element(&x, &list->at[i], w);
}
