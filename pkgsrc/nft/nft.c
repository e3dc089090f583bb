/* SPDX-License-Identifier: Apache-2.0 */
/* nft.c: a batch of nftables messages under construction. */
#include "nft/nft_private.h"

#include <arpa/inet.h>
#include <string.h>
#include <linux/netfilter.h>

static struct nlmsghdr *last(const struct nft *b)
{
	return (struct nlmsghdr *)(void *)(b->at + b->last);
}

/* Attributes. */

/* The last word is cleared first: libmnl leaves padding as it was, and it counts in the hash. */
void nft_put(struct nft *b, uint16_t type, const void *data, size_t len)
{
	size_t size = sizeof(struct nlattr) + ((len + 3) & ~(size_t)3);

	if (b->room - b->len < size)
		b->failed = true;
	if (b->failed)
		return;
	memset(b->at + b->len + size - sizeof(uint32_t), 0, sizeof(uint32_t));
	mnl_attr_put(last(b), type, len, data);
	b->len += size;
}

void nft_put_str(struct nft *b, uint16_t type, const char *s)
{
	nft_put(b, type, s, strlen(s) + 1);
}

void nft_put_u8(struct nft *b, uint16_t type, uint8_t value)
{
	nft_put(b, type, &value, sizeof(value));
}

void nft_put_u32(struct nft *b, uint16_t type, uint32_t value)
{
	uint32_t wire = htonl(value);

	nft_put(b, type, &wire, sizeof(wire));
}

void nft_put_u64(struct nft *b, uint16_t type, uint64_t value)
{
	uint32_t wire[2] = { htonl((uint32_t)(value >> 32)), htonl((uint32_t)value) };

	nft_put(b, type, wire, sizeof(wire));
}

void nft_nest_open(struct nft *b, uint16_t type)
{
	if (b->depth == NFT_DEPTH)
		b->failed = true;
	if (b->failed)
		return;
	b->nests[b->depth++] = b->len;
	nft_put(b, type | NLA_F_NESTED, NULL, 0);
}

void nft_nest_close(struct nft *b)
{
	struct nlattr *nest;
	size_t len;

	if (b->failed)
		return;
	nest = (struct nlattr *)(void *)(b->at + b->nests[--b->depth]);
	len = b->len - b->nests[b->depth];
	if (len > UINT16_MAX)
		b->failed = true;
	nest->nla_len = (uint16_t)len;
}

/* Messages. */

void nft_message(struct nft *b, uint16_t type, uint16_t flags, uint16_t resource)
{
	struct nfgenmsg *family;
	struct nlmsghdr *m;

	if (b->failed || b->room - b->len < mnl_nlmsg_size(sizeof(*family))) {
		b->failed = true;
		return;
	}
	b->last = b->len;
	m = mnl_nlmsg_put_header(b->at + b->len);
	m->nlmsg_type = type;
	m->nlmsg_flags = NLM_F_REQUEST | flags;
	m->nlmsg_seq = b->n++;
	family = mnl_nlmsg_put_extra_header(m, sizeof(*family));
	family->nfgen_family = b->v6 ? NFPROTO_IPV6 : NFPROTO_IPV4;
	family->version = NFNETLINK_V0;
	family->res_id = htons(resource);
	b->depth = 0;
	b->len += m->nlmsg_len;
}

static void empty(struct nft *b, void *memory, size_t room, bool v6, const char *table)
{
	size_t skip = -(uintptr_t)memory & (_Alignof(struct nlmsghdr) - 1);

	*b = (struct nft){ .at = (char *)memory + skip, .v6 = v6, .table = table };
	if (room > skip)
		b->room = room - skip;
}

void nft_begin_table(struct nft *b, bool v6, const char *table)
{
	b->v6 = v6;
	b->table = table;
	b->begun = b->len;
	b->sets = v6 ? 1 << 16 : 0; /* unique in the transaction, and the same for a table each
				       time, as its hash must be */
}

void nft_begin(struct nft *b, void *memory, size_t room, bool v6, const char *table)
{
	empty(b, memory, room, v6, table);
	nft_message(b, NFNL_MSG_BATCH_BEGIN, 0, NFNL_SUBSYS_NFTABLES);
	nft_begin_table(b, v6, table);
}

bool nft_end(struct nft *b, struct err *e)
{
	uint32_t answered = b->n - 1;

	if (!b->failed)
		last(b)->nlmsg_flags |= NLM_F_ACK;
	nft_message(b, NFNL_MSG_BATCH_END, 0, NFNL_SUBSYS_NFTABLES);
	if (b->failed)
		return err_set(e, ERR_STEER, "%zu bytes do not hold the rules", b->room);
	b->batch = (struct nl_batch){
		.data = b->at, .len = b->len, .last = answered, .what = nft_what
	};
	return true;
}

void nft_ask_begin(struct nft *b, void *memory, size_t room, bool v6, const char *table,
		   uint16_t type, uint16_t flags)
{
	empty(b, memory, room, v6, table);
	nft_message(b, NFTABLES(type), flags, 0);
}

static bool is_hashed(const struct nlmsghdr *m)
{
	switch (m->nlmsg_type) {
	case NFTABLES(NFT_MSG_NEWSET):
	case NFTABLES(NFT_MSG_NEWOBJ):
	case NFTABLES(NFT_MSG_NEWCHAIN):
	case NFTABLES(NFT_MSG_NEWRULE):
		return true;
	default:
		return false;
	}
}

/* 2^64 divided by the golden ratio spreads the bits. */
static uint64_t hash_word(uint64_t hash, uint64_t word)
{
	hash = (hash ^ word) * 0x9e3779b97f4a7c15;
	return hash ^ hash >> 32;
}

/* The payload, which is a multiple of four bytes. */
static uint64_t hash_message(uint64_t hash, const struct nlmsghdr *m)
{
	const uint32_t *half = mnl_nlmsg_get_payload(m);
	size_t n = mnl_nlmsg_get_payload_len(m) / sizeof(*half);

	for (; n >= 2; half += 2, n -= 2)
		hash = hash_word(hash, (uint64_t)half[0] << 32 | half[1]);
	return n ? hash_word(hash, *half) : hash;
}

uint64_t nft_hash(const struct nft *b)
{
	const struct nlmsghdr *m = (const struct nlmsghdr *)(const void *)(b->at + b->begun);
	int left = (int)(b->len - b->begun);
	uint64_t hash = 0;

	for (; mnl_nlmsg_ok(m, left); m = mnl_nlmsg_next(m, &left))
		if (is_hashed(m))
			hash = hash_message(hash ^ m->nlmsg_type, m);
	return hash;
}
