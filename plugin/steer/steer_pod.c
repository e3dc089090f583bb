/* SPDX-License-Identifier: Apache-2.0 */
/* steer_pod.c: steering by a table in the pod's own namespace. */
#include "steer/steer_pod.h"
#include "state/claim.h"
#include "netns.h"
#include "nft/route.h"
#include "steer/rules/table.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>

static void claim_steer(char out[static CLAIM_FOLDER], const char *id)
{
	char container_id[RECORD_NAME + 1];

	record_container(container_id, id);
	(void)snprintf(out, CLAIM_FOLDER, ".steer/%s", container_id);
}

/*** the pod's own table ***/

static bool is_own(struct file_id id)
{
	struct file_id own;

	return !netns_own(&own, NULL) || file_same(own, id);
}

bool steer_pod_open(struct nl *nl, const char *path, const struct file_id *id, bool *there,
		    struct err *e)
{
	auto_fd fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	struct stat st;

	*there = false;
	if (fd < 0 && errno != ENOENT && errno != ENOTDIR && errno != ESRCH)
		return err_errno(e, ERR_STEER, "%s", path);
	*there = fd >= 0 && fstat(fd, &st) == 0 && !is_own(file_id(&st)) &&
		 (!id || file_same(file_id(&st), *id));
	return !*there || nl_open_in(nl, fd, e);
}

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

/* `new`: no attachment of the pod is steered yet. */
static bool install_families(const struct nl *nl, struct steering *s, bool new, struct err *e)
{
	struct table tables[2];
	size_t n = 0;

	for (int v6 = 0; v6 < 2; v6++)
		if (steering_has(s, v6))
			tables[n++] = (struct table){ .nl = nl, .s = s, .v6 = v6 };
		else if (!table_remove(nl, v6, e))
			return false;
	return new ? table_install_new(tables, n, e) : table_install(tables, n, e);
}

/* Makes the pod's tables as the newest remaining attachment wants them, or removes them. */
static bool hand_over(const struct nl *nl, const struct rundir_lock *held, const char *folder,
		      struct err *e)
{
	auto_record owner = RECORD_BLANK;
	char path[RECORD_PATH];

	switch (claim_owner(path, held->run, folder)) {
	case CLAIM_OWNED:
		if (record_read(&owner, held->run, path) == RECORD_UNREADABLE)
			return err_set(e, ERR_IO, RUNDIR "/%s: cannot be read", path);
		if (record_has_steering(&owner))
			return install_families(nl, &owner.steering.plan, false, e);
		break;
	case CLAIM_UNKNOWN:
		return err_set(e, ERR_IO, RUNDIR "/%s: cannot be read", folder);
	case CLAIM_NOBODYS:
	default:
		break;
	}
	return table_remove(nl, false, e) && table_remove(nl, true, e);
}

bool steer_pod_install(const struct rundir_lock *held, const struct pod_netns *netns,
		       const char *id, struct steering *s, struct err *e)
{
	char folder[CLAIM_FOLDER], owner[RECORD_PATH];
	auto_nl nl = NL_CLOSED, route = NL_CLOSED;
	bool new;

	if (netns->own)
		return err_set(e, ERR_STEER, "CNI_NETNS is the plugin's own namespace");
	if (netns->fd < 0) /* which nl_open_in() would take for the plugin's own */
		return err_set(e, ERR_STEER, "CNI_NETNS is not open");
	if (!nl_open_route_in(&nl, &route, netns->fd, e))
		return false;
	choose_hook(s, &route);
	claim_steer(folder, id);
	new = claim_owner(owner, held->run, folder) == CLAIM_NOBODYS;
	if (claim_add(held, folder, id, e) && install_families(&nl, s, new, e))
		return true;
	(void)claim_remove(held, folder, id, NULL);
	(void)hand_over(&nl, held, folder, NULL);
	return false;
}

/* Opens the namespace by the path in the record, else by that of the call. */
static bool open_released(struct nl *nl, const struct record *record, const char *netns,
			  bool *there, struct err *e)
{
	const struct record_netns *known = record ? &record->netns : NULL;

	*there = false;
	if (known && !steer_pod_open(nl, known->path, &known->id, there, e))
		return false;
	return *there || !*netns || steer_pod_open(nl, netns, known ? &known->id : NULL, there, e);
}

bool steer_pod_release(const struct rundir_lock *held, const char *id, const struct record *record,
		       const char *netns, struct err *e)
{
	char folder[CLAIM_FOLDER];
	auto_nl nl = NL_CLOSED;
	bool there;

	claim_steer(folder, id);
	if (!claim_remove(held, folder, id, e) || !open_released(&nl, record, netns, &there, e))
		return false;
	return !there || hand_over(&nl, held, folder, e);
}

bool steer_pod_check(const struct rundir_lock *held, const struct pod_netns *netns, const char *id,
		     struct steering *s, struct warnings *w, struct err *e)
{
	char folder[CLAIM_FOLDER];
	auto_nl nl = NL_CLOSED;
	bool there;

	claim_steer(folder, id);
	if (claim_is_anothers(held->run, folder, id))
		return true;
	if (!steer_pod_open(&nl, netns->path, &netns->id, &there, e) || !there)
		return !e->code;
	for (int v6 = 0; v6 < 2; v6++) {
		struct table t = { .nl = &nl, .s = s, .v6 = v6 };

		if (steering_has(s, v6) && !table_check(&t, w, e))
			return false;
	}
	return true;
}
