/* SPDX-License-Identifier: Apache-2.0 */
/* steer_pod.c: steering by a table in the pod's own namespace. */
#include "steer/steer_pod.h"
#include "netns.h"
#include "state/claim.h"
#include "nft/route.h"
#include "steer/rules/table.h"

#include <stdio.h>
#include <string.h>

static void claim_steer(char out[static CLAIM_FOLDER], const char *id)
{
	char container_id[RECORD_NAME + 1];

	record_container(container_id, id);
	(void)snprintf(out, CLAIM_FOLDER, ".steer/%s", container_id);
}

/*** tables ***/

/*
 * Whether cluster and cache are reached by the same route. Then a query may be rewritten behind
 * routing, which saves the kernel a second look-up.
 */
static bool is_one_way(const struct steering *s, bool v6, const struct nl *route)
{
	for (size_t i = 0; i < s->n; i++) {
		const struct steer_pair *pair = &s->at[i];
		const struct addr to[] = { pair->cluster, pair->cache, pair->fallback };

		if (steering_is_of(pair, v6) &&
		    !route_is_shared(route, to, steering_has_fallback(s, pair) ? 3 : 2))
			return false;
	}
	return true;
}

static void choose_hook(struct steering *s, const struct nl *route)
{
	for (int v6 = 0; s->mode == STEER_POD && v6 < 2; v6++)
		s->postrouting[v6] = steering_has(s, v6) && is_one_way(s, v6, route);
}

/* `first`: no attachment of the pod was steered before. */
static bool install_families(const struct nl *nl, struct steering *s, bool first, struct err *e)
{
	struct table tables[2];
	size_t n = 0;

	for (int v6 = 0; v6 < 2; v6++)
		if (steering_has(s, v6))
			tables[n++] = (struct table){ .nl = nl, .s = s, .v6 = v6 };
		else if (!first && !table_remove(nl, v6, e))
			return false;
	return first ? table_install_new(tables, n, e) : table_install(tables, n, e);
}

/*** in a child: steer_in_pod() ***/

static bool install_work(const struct nl *nl, void *data, struct err *e)
{
	return install_families(nl, data, false, e);
}

/* Makes the tables as their owner wants them; without an owner, removes them. */
static bool give_to_owner(const struct nl *nl, const struct rundir *r, enum claim_found found,
			  const char *id, struct err *e)
{
	auto_record owner = RECORD_BLANK;

	if (found == CLAIM_UNKNOWN)
		return err_set(e, ERR_IO, RUNDIR "/.steer: cannot be read");
	if (found == CLAIM_OWNED && record_read(&owner, r, id) == RECORD_UNREADABLE)
		return err_set(e, ERR_IO, RUNDIR "/%s: cannot be read", id);
	if (found == CLAIM_OWNED && record_has_steering(&owner))
		return install_families(nl, &owner.steering.plan, false, e);
	return table_remove(nl, false, e) && table_remove(nl, true, e);
}

static enum claim_found find_owner(char owner[static RECORD_PATH], const struct rundir *r,
				   const char *folder)
{
	owner[0] = '\0';
	return r->fd < 0 ? CLAIM_NOBODYS : claim_owner(owner, r, folder);
}

/* An ADD makes its claim before its tables. So if the owner is the same afterwards, the tables of
 * an ADD were not removed here. */
static bool settle_work(const struct nl *nl, void *data, struct err *e)
{
	const char *folder = data;
	char owner[RECORD_PATH], before[RECORD_PATH];
	auto_rundir run = RUNDIR_NONE;
	enum claim_found found;

	if (!rundir_open(&run, false, e))
		return false;
	found = find_owner(owner, &run, folder);
	do {
		(void)snprintf(before, sizeof(before), "%s", owner);
		if (!give_to_owner(nl, &run, found, owner, e))
			return false;
		found = find_owner(owner, &run, folder);
	} while (strcmp(owner, before) != 0);
	return true;
}

struct checked {
	struct steering s;
	struct {
		bool restored; /* else it is another maker's */
		char text[256];
	} warned[2];
	size_t n;
};

static bool check_work(const struct nl *nl, void *data, struct err *e)
{
	struct checked *c = data;
	auto_arena arena = { 0 };
	struct warnings w = { .arena = &arena };

	for (int v6 = 0; v6 < 2; v6++) {
		struct table t = { .nl = nl, .s = &c->s, .v6 = v6 };

		if (steering_has(&c->s, v6) && !table_check(&t, &w, e))
			return false;
	}
	for (size_t i = 0; i < w.n && c->n < LEN(c->warned); i++, c->n++) {
		c->warned[c->n].restored = strcmp(w.at[i].kind, "restored") == 0;
		(void)snprintf(c->warned[c->n].text, sizeof(c->warned[c->n].text), "%s",
			       w.at[i].text);
	}
	return true;
}

static bool disable_work(const struct nl *nl, void *data, struct err *e)
{
	const bool *on = data;

	return table_switch(nl, false, *on, e) && table_switch(nl, true, *on, e);
}

/*** of an attachment ***/

bool steer_pod_claim(const struct rundir_lock *held, const char *id, bool *first, struct err *e)
{
	char folder[CLAIM_FOLDER], owner[RECORD_PATH];

	claim_steer(folder, id);
	*first = claim_owner(owner, held->run, folder) == CLAIM_NOBODYS;
	return claim_add(held, folder, id, e);
}

bool steer_pod_unclaim(const struct rundir_lock *held, const char *id, struct err *e)
{
	char folder[CLAIM_FOLDER];

	claim_steer(folder, id);
	return claim_remove(held, folder, id, e);
}

bool steer_pod_is_claimed(const struct rundir *r, const char *id)
{
	char folder[CLAIM_FOLDER];

	claim_steer(folder, id);
	return claim_is_made(r, folder, id);
}

/* The workload starts after the first ADD: until then a child is not needed. */
static bool install_first(const struct pod_netns *netns, struct steering *s, struct err *e)
{
	auto_nl nl = NL_CLOSED, route = NL_CLOSED;

	if (!nl_open_route_in(&nl, &route, netns->fd, e))
		return false;
	choose_hook(s, &route);
	return install_families(&nl, s, true, e);
}

static bool install_again(const struct pod_netns *netns, struct steering *s, struct err *e)
{
	const struct steer_place where = { .call = netns };
	auto_nl nl = NL_CLOSED, route = NL_CLOSED;
	bool there;

	if (!nl_open_route_in(&nl, &route, netns->fd, e))
		return false;
	choose_hook(s, &route);
	return steer_in_pod(&where, install_work, s, sizeof(*s), &there, e);
}

bool steer_pod_install(const struct pod_netns *netns, struct steering *s, bool first, struct err *e)
{
	if (netns->own)
		return err_set(e, ERR_STEER, "CNI_NETNS is the plugin's own namespace");
	if (netns->fd >= 0 && netns_is_nodes(netns->id))
		return err_set(e, ERR_STEER, "CNI_NETNS is the node's own namespace");
	if (netns->fd < 0) /* which nl_open_in() would take for the plugin's own */
		return err_set(e, ERR_STEER, "CNI_NETNS is not open");
	return first && !netns->runs ? install_first(netns, s, e) : install_again(netns, s, e);
}

bool steer_pod_settle(const char *id, const struct record_netns *known, const char *netns,
		      struct err *e)
{
	const struct steer_place where = { .known = known, .path = netns };
	char folder[CLAIM_FOLDER];
	bool there;

	claim_steer(folder, id);
	return steer_in_pod(&where, settle_work, folder, sizeof(folder), &there, e);
}

bool steer_pod_check(const struct rundir *r, const struct pod_netns *netns, const char *id,
		     struct steering *s, struct warnings *w, struct err *e)
{
	const struct steer_place where = { .call = netns };
	struct checked c = { .s = *s };
	char folder[CLAIM_FOLDER];
	bool there;

	claim_steer(folder, id);
	if (netns->fd < 0 || netns->own || claim_is_anothers(r, folder, id))
		return true;
	if (!steer_in_pod(&where, check_work, &c, sizeof(c), &there, e))
		return false;
	for (size_t i = 0; i < c.n; i++)
		warn(w, c.warned[i].restored ? "restored" : "steer", "%s", c.warned[i].text);
	return true;
}

bool steer_pod_disable(const struct steer_place *where, bool on, bool *there, struct err *e)
{
	return steer_in_pod(where, disable_work, &on, sizeof(on), there, e);
}
