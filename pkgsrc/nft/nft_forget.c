/* SPDX-License-Identifier: Apache-2.0 */
/*
 * nft_forget.c: deletes addresses from all sets of a table.
 *
 * Which sets there are, the kernel says. A transaction with the deletion of an element that does
 * not exist is refused as a whole: so first it is asked which exist. One that expires in between
 * costs another try.
 */
#include "nft/nft_private.h"

#include <arpa/inet.h>
#include <errno.h>

enum {
	LOOKS = 32,    /* at once: the answers to them fit into the socket's buffer */
	MESSAGE = 400, /* bytes; enough to name an element: a set's name has up to 255 */
	TRIES = 10,
};

/* An element that may be there. */
struct look {
	const char *set;
	const struct nft_address *address;
};

struct forget {
	const struct nl *nl;
	const char *table;
	struct nl_messages sets[2]; /* of each family, as the kernel lists them */
	struct look looks[LOOKS];
	size_t n;
	struct nft deletion;
	size_t found;
};

static bool list_sets(struct forget *f, bool v6, struct err *e)
{
	const struct nft_request question = {
		.v6 = v6, .table = f->table, .get = NFT_MSG_GETSET, .all = true
	};
	struct err fault = { 0 };
	int refused = 0;

	return nft_dump(f->nl, &question, &f->sets[v6], &refused, &fault) || refused == ENOENT ||
	       err_move(e, &fault);
}

/* The name of a set of addresses; NULL: it is one of something else. */
static const char *set_of_addresses(const struct nlmsghdr *m, bool v6)
{
	const struct nlattr *type = nft_attr(m, NFTA_SET_KEY_TYPE);
	const struct nlattr *name = nft_attr(m, NFTA_SET_NAME);

	return type && name && ntohl(mnl_attr_get_u32(type)) == (v6 ? NFT_TYPE_IPV6 : NFT_TYPE_IPV4)
		       ? mnl_attr_get_str(name)
		       : NULL;
}

static size_t count_messages(const struct nl_messages *all)
{
	const struct nlmsghdr *m = NULL;
	size_t n = 0;

	while ((m = nl_next(all, m)))
		n++;
	return n;
}

static void put_deletion(struct forget *f, const struct look *look)
{
	const struct nft_address *a = look->address;

	if (f->deletion.v6 != a->v6)
		nft_begin_table(&f->deletion, a->v6, f->table);
	nft_delete_element(&f->deletion, look->set, a->at, a->len);
	f->found++;
}

static void put_looks(struct nft *b, char *memory, size_t room, const struct forget *f)
{
	nft_ask_begin(b, memory, room, f->looks->address->v6, f->table, NFT_MSG_GETSETELEM, 0);
	for (size_t i = 0; i < f->n; i++) {
		const struct nft_address *a = f->looks[i].address;

		b->v6 = a->v6;
		if (i)
			nft_message(b, NFTABLES(NFT_MSG_GETSETELEM), 0, 0);
		nft_put_element(b, f->looks[i].set, a->at, a->len, 0, NULL);
	}
}

/* Asks for the elements in one request each. Those that are there will be deleted. */
static bool look_them_up(struct forget *f, struct err *e)
{
	char memory[LOOKS * MESSAGE];
	auto_messages answer = { 0 };
	const struct nlmsghdr *m = NULL;
	struct err fault = { 0 };
	int refused = 0;
	struct nft b;

	if (!f->n)
		return true;
	put_looks(&b, memory, sizeof(memory), f);
	b.batch =
		(struct nl_batch){ .data = b.at, .len = b.len, .last = b.n - 1, .what = nft_what };
	if (b.failed)
		return err_set(e, ERR_STEER, "a question that is too long");
	if (!nl_ask(f->nl, &b.batch, &answer, &refused, &fault) && refused != ENOENT)
		return err_move(e, &fault);
	while ((m = nl_next(&answer, m)))
		if (m->nlmsg_seq < f->n)
			put_deletion(f, &f->looks[m->nlmsg_seq]);
	f->n = 0;
	return true;
}

static bool look_up_address(struct forget *f, const struct nft_address *a, struct err *e)
{
	const struct nlmsghdr *m = NULL;

	while ((m = nl_next(&f->sets[a->v6], m))) {
		const char *set = set_of_addresses(m, a->v6);

		if (!set)
			continue;
		f->looks[f->n++] = (struct look){ set, a };
		if (f->n == LOOKS && !look_them_up(f, e))
			return false;
	}
	return true;
}

static bool delete_found(struct forget *f, const struct nft_address *list, size_t n, int *refused,
			 struct err *e)
{
	f->n = f->found = 0;
	for (size_t i = 0; i < n; i++)
		if (!look_up_address(f, &list[i], e))
			return false;
	if (!look_them_up(f, e))
		return false;
	return !f->found ||
	       (nft_end(&f->deletion, e) && nl_send(f->nl, &f->deletion.batch, refused, e));
}

static bool try_to_forget(struct forget *f, const struct nft_address *list, size_t n, struct err *e)
{
	size_t sets = count_messages(&f->sets[0]) + count_messages(&f->sets[1]);
	size_t room = (n * sets + 2) * MESSAGE;
	void *memory = malloc(room);
	struct err fault = { 0 };
	bool done = false;
	int refused = ENOENT;

	if (!memory)
		return err_set(e, ERR_STEER, "out of memory");
	for (int i = 0; i < TRIES && !done && refused == ENOENT; i++) {
		refused = 0;
		err_clear(&fault);
		nft_begin(&f->deletion, memory, room, list->v6, f->table);
		done = delete_found(f, list, n, &refused, &fault);
	}
	free(memory);
	return done || err_move(e, &fault);
}

bool nft_forget(const struct nl *nl, const char *table, const struct nft_address *list, size_t n,
		struct err *e)
{
	struct forget f = { .nl = nl, .table = table };
	bool listed = true, used[2] = { false, false };

	for (size_t i = 0; i < n; i++)
		used[list[i].v6] = true;
	for (int v6 = 0; v6 < 2 && listed; v6++)
		listed = !used[v6] || list_sets(&f, v6, e);
	listed = listed && (!n || try_to_forget(&f, list, n, e));
	free(f.sets[0].at);
	free(f.sets[1].at);
	return listed;
}
