/* SPDX-License-Identifier: Apache-2.0 */
/* nft_counter.c: reads the counters of a table's rules. */
#include "nft/nft_private.h"

#include <endian.h>
#include <string.h>

/* The packets of a counter expression; false: it is another expression. */
static bool counter_of(uint64_t *packets, const struct nlattr *expression)
{
	const struct nlattr *name = attr_find_in(expression, NFTA_EXPR_NAME);
	const struct nlattr *data = attr_find_in(expression, NFTA_EXPR_DATA);
	const struct nlattr *found;

	if (!name || !data || strcmp(mnl_attr_get_str(name), "counter") != 0)
		return false;
	found = attr_find_in(data, NFTA_COUNTER_PACKETS);
	*packets = found ? be64toh(mnl_attr_get_u64(found)) : 0;
	return true;
}

/* The first counter of the rule; our rules have one at most. */
static bool read_counter(struct nft_counter_found *found, const struct nlmsghdr *rule)
{
	const struct nlattr *expressions = nft_attr(rule, NFTA_RULE_EXPRESSIONS), *expression;
	const struct nlattr *chain = nft_attr(rule, NFTA_RULE_CHAIN);

	if (!expressions || !chain)
		return false;
	attr_each_in (expression, expressions) {
		if (!counter_of(&found->packets, expression))
			continue;
		found->chain = mnl_attr_get_str(chain);
		(void)nft_comment_of(found->comment, nft_attr(rule, NFTA_RULE_USERDATA));
		return true;
	}
	return false;
}

bool nft_each_counter(const struct nl *nl, bool v6, const char *table, nft_counter_reader *read,
		      void *context, int *refused, struct err *e)
{
	const struct nft_request question = {
		.v6 = v6, .table = table, .get = NFT_MSG_GETRULE, .all = true
	};
	auto_messages answer = { 0 };
	const struct nlmsghdr *m = NULL;
	struct nft_counter_found found;

	if (!nft_dump(nl, &question, &answer, refused, e))
		return false;
	while ((m = nl_next(&answer, m)))
		if (read_counter(&found, m))
			read(&found, context);
	return true;
}
