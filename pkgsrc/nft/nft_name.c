/* SPDX-License-Identifier: Apache-2.0 */
/* nft_name.c: describes messages for errors. */
#include "nft/nft_private.h"

#include <stdio.h>
#include <string.h>
#include <linux/netfilter.h>

static const struct nlmsghdr *message_of(const struct nl_batch *batch, uint32_t seq)
{
	const struct nlmsghdr *m = batch->data;
	int left = (int)batch->len;

	for (; mnl_nlmsg_ok(m, left); m = mnl_nlmsg_next(m, &left))
		if (m->nlmsg_seq == seq)
			return m;
	return NULL;
}

/* Rare modules first: of those that a rule needs, the first here is named. */
static const struct {
	const char *expression, *module;
} modules[] = {
	{ "dup", "nft_dup" },	 { "socket", "nft_socket" }, { "nat", "nft_nat" },
	{ "notrack", "nft_ct" }, { "limit", "nft_limit" },
};

static bool rule_uses(const struct nlattr *expressions, const char *name)
{
	const struct nlattr *expression, *found;

	attr_each_in (expression, expressions) {
		found = attr_find_in(expression, NFTA_EXPR_NAME);
		if (found && strcmp(mnl_attr_get_str(found), name) == 0)
			return true;
	}
	return false;
}

static const char *module_of(const struct nlmsghdr *rule)
{
	const struct nlattr *expressions = nft_attr(rule, NFTA_RULE_EXPRESSIONS);

	for (size_t i = 0; expressions && i < LEN(modules); i++)
		if (rule_uses(expressions, modules[i].expression))
			return modules[i].module;
	return NULL;
}

/* Kinds of messages, and the attribute with the name. */
static const struct kind {
	uint16_t type, name;
	const char *words;
} kinds[] = {
	{ NFT_MSG_NEWTABLE, NFTA_TABLE_NAME, "table" },
	{ NFT_MSG_GETTABLE, NFTA_TABLE_NAME, "table" },
	{ NFT_MSG_DELTABLE, NFTA_TABLE_NAME, "deletion of table" },
	{ NFT_MSG_NEWSET, NFTA_SET_NAME, "set" },
	{ NFT_MSG_GETSET, NFTA_SET_NAME, "set" },
	{ NFT_MSG_DELSET, NFTA_SET_NAME, "deletion of set" },
	{ NFT_MSG_NEWSETELEM, NFTA_SET_ELEM_LIST_SET, "element of set" },
	{ NFT_MSG_GETSETELEM, NFTA_SET_ELEM_LIST_SET, "element of set" },
	{ NFT_MSG_DELSETELEM, NFTA_SET_ELEM_LIST_SET, "deletion of an element of set" },
	{ NFT_MSG_NEWOBJ, NFTA_OBJ_NAME, "counter" },
	{ NFT_MSG_GETOBJ, NFTA_OBJ_NAME, "counter" },
	{ NFT_MSG_NEWCHAIN, NFTA_CHAIN_NAME, "chain" },
	{ NFT_MSG_GETCHAIN, NFTA_CHAIN_NAME, "chain" },
	{ NFT_MSG_GETRULE, NFTA_RULE_TABLE, "rules of table" },
	{ NFT_MSG_DELRULE, NFTA_RULE_TABLE, "deletion of the rules of table" },
};

static void name_rule(const struct nlmsghdr *m, char *out, size_t room)
{
	char phrase[NFT_COMMENT];

	if (nft_comment_of(phrase, nft_attr(m, NFTA_RULE_USERDATA)))
		(void)snprintf(out, room, "rule \"%s\"", phrase);
	else
		(void)snprintf(out, room, "a rule without a comment");
}

/* A question about all objects of a kind names only the table. */
static void name_of_kind(const struct kind *kind, const struct nlmsghdr *m, char *out, size_t room)
{
	const struct nlattr *name = nft_attr(m, kind->name);
	const struct nlattr *table = nft_attr(m, NFT_IN_TABLE);

	if (name)
		(void)snprintf(out, room, "%s \"%s\"", kind->words, mnl_attr_get_str(name));
	else
		(void)snprintf(out, room, "%ss of table \"%s\"", kind->words,
			       table ? mnl_attr_get_str(table) : "");
}

void nft_name(const struct nlmsghdr *m, char *out, size_t room)
{
	(void)snprintf(out, room, "the transaction");
	if (m->nlmsg_type == NFTABLES(NFT_MSG_NEWRULE))
		name_rule(m, out, room);
	for (size_t i = 0; i < LEN(kinds); i++)
		if (m->nlmsg_type == NFTABLES(kinds[i].type))
			name_of_kind(&kinds[i], m, out, room);
}

bool nft_is_v6(const struct nft *b, uint32_t seq)
{
	const struct nlmsghdr *m = message_of(&b->batch, seq);
	const struct nfgenmsg *family = m ? mnl_nlmsg_get_payload(m) : NULL;

	return family && family->nfgen_family == NFPROTO_IPV6;
}

bool nft_uses(const struct nft *b, uint32_t seq, const char *expression)
{
	const struct nlmsghdr *m = message_of(&b->batch, seq);
	const struct nlattr *expressions = m && m->nlmsg_type == NFTABLES(NFT_MSG_NEWRULE)
						   ? nft_attr(m, NFTA_RULE_EXPRESSIONS)
						   : NULL;

	return expressions && rule_uses(expressions, expression);
}

const char *nft_what(const struct nl_batch *batch, uint32_t seq, char *out, size_t room)
{
	const struct nlmsghdr *m = message_of(batch, seq);

	(void)snprintf(out, room, "the transaction");
	if (!m)
		return NULL;
	nft_name(m, out, room);
	return m->nlmsg_type == NFTABLES(NFT_MSG_NEWRULE) ? module_of(m) : NULL;
}
