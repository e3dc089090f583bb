/* SPDX-License-Identifier: Apache-2.0 */
/* nftsame.c: compares a message from the kernel with the one that was sent. */
#include "nft/nftsame.h"
#include "nft/attr.h"

#include <arpa/inet.h>
#include <linux/netfilter/nf_tables.h>
#include <linux/netfilter/nfnetlink.h>
#include <string.h>

enum { TICK = 10 }; /* ms, at HZ=100, the coarsest clock */

/* The attributes of a message, or of another attribute. */
struct attrs {
	const struct nlattr *first;
	const void *end;
};

static struct attrs attrs_in(const struct nlattr *nest)
{
	return (struct attrs){ mnl_attr_get_payload(nest), attr_end(nest) };
}

static struct attrs attrs_of(const struct nlmsghdr *m)
{
	return (struct attrs){ mnl_nlmsg_get_payload_offset(m, sizeof(struct nfgenmsg)),
			       mnl_nlmsg_get_payload_tail(m) };
}

/* The first attribute of that type from `attr` on, or NULL. */
static const struct nlattr *find_like(struct attrs in, const struct nlattr *attr, uint16_t type)
{
	for (; attr_within(attr, in.end); attr = mnl_attr_next(attr))
		if (mnl_attr_get_type(attr) == type)
			return attr;
	return NULL;
}

/* Types of attributes that are not compared as bytes; 0: there is none. */
struct special {
	uint16_t time, skip;
};

static struct special special_of(const struct nlmsghdr *m)
{
	if ((m->nlmsg_type & 0xff) == NFT_MSG_NEWSET)
		return (struct special){ .time = NFTA_SET_TIMEOUT, .skip = NFTA_SET_ID };
	return (struct special){ 0 };
}

/* Those of an expression: only a dynset has a time. */
static struct special special_in(struct attrs expression)
{
	static const char dynset[] = "dynset";
	const struct nlattr *name = find_like(expression, expression.first, NFTA_EXPR_NAME);

	if (name && mnl_attr_get_payload_len(name) == sizeof(dynset) &&
	    memcmp(mnl_attr_get_payload(name), dynset, sizeof(dynset)) == 0)
		return (struct special){ .time = NFTA_DYNSET_TIMEOUT };
	return (struct special){ 0 };
}

static uint64_t u64_of(const struct nlattr *attr)
{
	uint32_t wire[2];

	memcpy(wire, mnl_attr_get_payload(attr), sizeof(wire));
	return (uint64_t)ntohl(wire[0]) << 32 | ntohl(wire[1]);
}

/* The kernel counts in ticks. Kernels before 6.12 round less than a tick to 0, which means no time
 * and does not match. */
static bool same_time(const struct nlattr *a, const struct nlattr *b)
{
	uint64_t x = u64_of(a), y = u64_of(b);

	return !x == !y && (x > y ? x - y : y - x) < TICK;
}

static bool same_bytes(const struct nlattr *a, const struct nlattr *b)
{
	return memcmp(mnl_attr_get_payload(a), mnl_attr_get_payload(b),
		      mnl_attr_get_payload_len(a)) == 0;
}

static bool covers(struct attrs theirs, struct attrs ours, struct special special);

/* `around`: our attributes that `ours` is one of. */
static bool same_attr(const struct nlattr *theirs, const struct nlattr *ours, struct attrs around,
		      uint16_t time)
{
	uint16_t len = mnl_attr_get_payload_len(ours);

	if (ours->nla_type & NLA_F_NESTED)
		return covers(attrs_in(theirs), attrs_in(ours), special_in(around));
	if (mnl_attr_get_payload_len(theirs) != len)
		return false;
	return mnl_attr_get_type(ours) == time && len == sizeof(uint64_t)
		       ? same_time(theirs, ours)
		       : same_bytes(theirs, ours);
}

/* Whether all of ours are there, and no others of their types. Attributes of one type form a list
 * and are compared one by one. */
static bool covers(struct attrs theirs, struct attrs ours, struct special special)
{
	const struct nlattr *our, *their, *from = theirs.first;

	for (our = ours.first; attr_within(our, ours.end); our = mnl_attr_next(our)) {
		const struct nlattr *next = mnl_attr_next(our);
		uint16_t type = mnl_attr_get_type(our);
		bool listed = attr_within(next, ours.end) && mnl_attr_get_type(next) == type;

		if (type == special.skip)
			continue;
		their = find_like(theirs, from, type);
		if (!their || !same_attr(their, our, ours, special.time) ||
		    (!listed && find_like(theirs, mnl_attr_next(their), type)))
			return false;
		from = listed ? mnl_attr_next(their) : theirs.first;
	}
	return true;
}

bool nft_same(const struct nlmsghdr *theirs, const struct nlmsghdr *ours)
{
	return covers(attrs_of(theirs), attrs_of(ours), special_of(ours));
}
