/* SPDX-License-Identifier: Apache-2.0 */
/* health.c: measures a pod's DNS by tables in its network namespace. */
#include "steer/health.h"
#include "netns.h"
#include "state/claim.h"
#include "steer/steer_in_pod.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const char maker[] = "pod-dns 1 "; /* how our comment begins; 1 is the version */

static void claim_health(char out[static CLAIM_FOLDER], const char *id)
{
	char container_id[RECORD_NAME + 1];

	record_container(container_id, id);
	(void)snprintf(out, CLAIM_FOLDER, ".health/%s", container_id);
}

bool health_claim(const struct rundir_lock *held, const char *id, struct err *e)
{
	char folder[CLAIM_FOLDER];

	claim_health(folder, id);
	return claim_add(held, folder, id, e);
}

bool health_unclaim(const struct rundir_lock *held, const char *id, struct err *e)
{
	char folder[CLAIM_FOLDER];

	claim_health(folder, id);
	return claim_remove(held, folder, id, e);
}

/*** the tables ***/

/* The table's comment holds the hash of what is built behind it. */
static void build_health(struct nft *b, bool v6, bool replace, char comment[static NFT_COMMENT])
{
	static const char about[] = "%s%016" PRIx64 ": measures the pod's DNS";

	(void)snprintf(comment, NFT_COMMENT, about, maker, (uint64_t)0);
	nft_begin_table(b, v6, HEALTH_TABLE);
	if (replace)
		nft_delete_table(b);
	health_table(b, comment);
	(void)snprintf(comment, NFT_COMMENT, about, maker, nft_hash(b));
	nft_table_comment(b, comment);
}

enum found { MISSING, AS_WANTED, DIFFERS, FOREIGN };

static bool find(const struct nl *nl, bool v6, enum found *out, struct err *e)
{
	static char memory[HEALTH_MEMORY];
	char comment[NFT_COMMENT], difference[NFT_DIFFERENCE];
	struct nft_table_found table;
	int refused = 0;
	struct nft b;

	*out = MISSING;
	if (!nft_find_table(nl, v6, HEALTH_TABLE, &table, &refused, e)) {
		if (refused == ENOENT)
			err_clear(e);
		return refused == ENOENT;
	}
	*out = FOREIGN;
	if (strncmp(table.comment, maker, strlen(maker)) != 0 || table.owned)
		return true;
	nft_begin(&b, memory, sizeof(memory), v6, HEALTH_TABLE);
	build_health(&b, v6, false, comment);
	if (!nft_end(&b, e) || !nft_is_whole(nl, &b, table.n, difference, e))
		return false;
	*out = strcmp(comment, table.comment) == 0 && !*difference ? AS_WANTED : DIFFERS;
	return true;
}

static bool make_tables(const struct nl *nl, const enum found found[static 2], struct err *e)
{
	static char memory[2 * HEALTH_MEMORY];
	char comment[NFT_COMMENT];
	struct nft b;
	int refused = 0;

	nft_begin(&b, memory, sizeof(memory), false, HEALTH_TABLE);
	for (int v6 = 0; v6 < 2; v6++)
		if (found[v6] != AS_WANTED)
			build_health(&b, v6, found[v6] == DIFFERS, comment);
	return nft_end(&b, e) && nl_send(nl, &b.batch, &refused, e);
}

static bool find_both(const struct nl *nl, enum found found[static 2], struct err *e)
{
	if (!find(nl, false, &found[0], e) || !find(nl, true, &found[1], e))
		return false;
	return (found[0] != FOREIGN && found[1] != FOREIGN) ||
	       err_set(e, ERR_STEER, "the table %s belongs to another program", HEALTH_TABLE);
}

/*** work, in a child or not ***/

static bool install_health(const struct nl *nl, void *data UNUSED, struct err *e)
{
	enum found found[2];

	return find_both(nl, found, e) &&
	       ((found[0] == AS_WANTED && found[1] == AS_WANTED) || make_tables(nl, found, e));
}

/* *data: whether a table was made again. */
static bool check_health(const struct nl *nl, void *data, struct err *e)
{
	enum found found[2];
	bool *restored = data;

	if (!find_both(nl, found, e))
		return false;
	*restored = found[0] != AS_WANTED || found[1] != AS_WANTED;
	return !*restored || make_tables(nl, found, e);
}

static bool remove_health(const struct nl *nl, void *data UNUSED, struct err *e)
{
	for (int v6 = 0; v6 < 2; v6++) {
		enum found found;
		char memory[512];
		int refused = 0;
		struct nft b;

		if (!find(nl, v6, &found, e))
			return false;
		if (found == MISSING || found == FOREIGN)
			continue;
		nft_begin(&b, memory, sizeof(memory), v6, HEALTH_TABLE);
		nft_delete_table(&b);
		if ((!nft_end(&b, e) || !nl_send(nl, &b.batch, &refused, e)) && refused != ENOENT)
			return false;
		err_clear(e);
	}
	return true;
}

struct reading {
	struct health health;
	bool there;
};

static bool read_health(const struct nl *nl, void *data, struct err *e)
{
	struct reading *r = data;

	for (int v6 = 0; v6 < 2; v6++)
		for (size_t i = 0; i < HEALTH_COUNTERS; i++) {
			uint64_t packets;
			int refused = 0;

			if (nft_read_counter(nl, v6, HEALTH_TABLE, health_counters[i], &packets,
					     &refused, e)) {
				r->health.count[i] += packets;
				r->there = true;
			} else if (refused != ENOENT) {
				return false;
			}
			err_clear(e);
		}
	return true;
}

/*** of an attachment ***/

bool health_install(const struct pod_netns *netns, struct err *e)
{
	static const enum found missing[2] = { MISSING, MISSING };
	const struct steer_place where = { .call = netns };
	auto_nl nl = NL_CLOSED;
	bool there;

	if (netns->own || netns->fd < 0 || netns_is_nodes(netns->id))
		return err_set(e, ERR_STEER, "CNI_NETNS is the node's own namespace, or not open");
	if (netns->runs)
		return steer_in_pod(&where, install_health, &(char){ 0 }, 1, &there, e);
	return nl_open_in(&nl, netns->fd, e) && make_tables(&nl, missing, e);
}

bool health_check(const struct pod_netns *netns, struct warnings *w, struct err *e)
{
	const struct steer_place where = { .call = netns };
	bool restored = false, there;

	if (netns->fd < 0 || netns->own)
		return true;
	if (!steer_in_pod(&where, check_health, &restored, sizeof(restored), &there, e))
		return false;
	if (restored)
		warn(w, "restored", "measure: the table %s is made again", HEALTH_TABLE);
	return true;
}

bool health_settle(const char *id, const struct record_netns *known, const char *netns,
		   struct err *e)
{
	const struct steer_place where = { .known = known, .path = netns };
	char folder[CLAIM_FOLDER], owner[RECORD_PATH];
	auto_rundir run = RUNDIR_NONE;
	bool there;

	claim_health(folder, id);
	if (!rundir_open(&run, false, e))
		return false;
	if (run.fd >= 0 && claim_owner(owner, &run, folder) != CLAIM_NOBODYS)
		return true;
	return steer_in_pod(&where, remove_health, &(char){ 0 }, 1, &there, e);
}

bool health_read(struct health *out, const struct record_netns *known, bool *there, struct err *e)
{
	const struct steer_place where = { .known = known, .path = "" };
	struct reading r = { .there = false };
	bool done = steer_in_pod(&where, read_health, &r, sizeof(r), there, e);

	*out = r.health;
	*there = *there && r.there;
	return done;
}
