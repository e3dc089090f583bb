/* SPDX-License-Identifier: Apache-2.0 */
/* nft_whole.c: whether an installed table still has as many parts as the batch that made it. */
#include "nft/nft_private.h"

#include <arpa/inet.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

/* The next message of one of our types, in what nft_end() has ended. NULL: there is none. */
static const struct nlmsghdr *next_of(const struct nft *b, const struct nlmsghdr *m, uint16_t type)
{
	const struct nl_messages all = { .at = b->at, .len = b->len };

	while ((m = nl_next(&all, m)))
		if (m->nlmsg_type == NFTABLES(type))
			return m;
	return NULL;
}

static uint32_t count_of(const struct nft *b, uint16_t type)
{
	uint32_t n = 0;

	for (const struct nlmsghdr *m = NULL; (m = next_of(b, m, type));)
		n++;
	return n;
}

static bool names(const struct nlattr *attr, const char *name)
{
	return attr && strcmp(mnl_attr_get_str(attr), name) == 0;
}

/* Whether an expression of a rule jumps or goes to the chain. */
static bool jumps_to(const struct nlattr *expression, const char *chain)
{
	static const uint16_t path[] = { NFTA_EXPR_DATA, NFTA_IMMEDIATE_DATA, NFTA_DATA_VERDICT,
					 NFTA_VERDICT_CHAIN };
	const struct nlattr *at = expression;

	if (!names(attr_find_in(expression, NFTA_EXPR_NAME), "immediate"))
		return false;
	for (size_t i = 0; at && i < LEN(path); i++)
		at = attr_find_in(at, path[i]);
	return names(at, chain);
}

/* The kernel counts these as uses of a chain: its rules, and the jumps to it. */
static uint32_t uses_of(const struct nft *b, const char *chain)
{
	uint32_t n = 0;

	for (const struct nlmsghdr *m = NULL; (m = next_of(b, m, NFT_MSG_NEWRULE));) {
		const struct nlattr *expressions = nft_attr(m, NFTA_RULE_EXPRESSIONS), *expression;

		n += names(nft_attr(m, NFTA_RULE_CHAIN), chain);
		attr_each_in (expression, expressions) {
			n += jumps_to(expression, chain);
		}
	}
	return n;
}

static bool same_number(const struct nlattr *a, const struct nlattr *b)
{
	return !a || (b && mnl_attr_get_u32(a) == mnl_attr_get_u32(b));
}

/* Whether the chain that was found has the policy and the uses of the built one. */
static bool is_as_built(const struct nft *b, const struct nlmsghdr *built,
			const struct nlmsghdr *found, const char *chain)
{
	const struct nlattr *uses = found ? nft_attr(found, NFTA_CHAIN_USE) : NULL;

	return uses && ntohl(mnl_attr_get_u32(uses)) == uses_of(b, chain) &&
	       same_number(nft_attr(built, NFTA_CHAIN_POLICY), nft_attr(found, NFTA_CHAIN_POLICY));
}

static bool compare_chain(const struct nl *nl, const struct nft *b, const struct nlmsghdr *built,
			  char difference[static NFT_DIFFERENCE], struct err *e)
{
	const char *chain = mnl_attr_get_str(nft_attr(built, NFTA_CHAIN_NAME));
	const struct nft_request request = { .v6 = b->v6,
					     .table = b->table,
					     .get = NFT_MSG_GETCHAIN,
					     .name_as = NFTA_CHAIN_NAME,
					     .name = chain };
	auto_messages answer = { 0 };
	struct err fault = { 0 };
	int refused = 0;

	if (!nft_dump(nl, &request, &answer, &refused, &fault) && refused != ENOENT)
		return err_move(e, &fault);
	if (refused || !is_as_built(b, built, nl_next(&answer, NULL), chain))
		(void)snprintf(difference, NFT_DIFFERENCE, "chain \"%s\" %s", chain,
			       refused ? "is missing" : "was changed");
	return true;
}

bool nft_is_whole(const struct nl *nl, const struct nft *b, uint32_t parts,
		  char difference[static NFT_DIFFERENCE], struct err *e)
{
	uint32_t built = count_of(b, NFT_MSG_NEWCHAIN) + count_of(b, NFT_MSG_NEWSET) +
			 count_of(b, NFT_MSG_NEWOBJ);

	difference[0] = '\0';
	if (parts != built)
		(void)snprintf(difference, NFT_DIFFERENCE,
			       "table \"%s\" has %u chains, sets and counters, not %u", b->table,
			       parts, built);
	for (const struct nlmsghdr *m = NULL;
	     !*difference && (m = next_of(b, m, NFT_MSG_NEWCHAIN));)
		if (!compare_chain(nl, b, m, difference, e))
			return false;
	return true;
}
