/* SPDX-License-Identifier: Apache-2.0 */
/* nft_ruleset.c: the messages that make and delete tables, sets, elements, chains and rules. */
#include "nft/nft_private.h"

#include <stdio.h>
#include <string.h>
#include <linux/netfilter.h>

/* Types of user data that nft shows as comments (libnftnl, udata.h). */
enum { COMMENT = 0, SET_COMMENT = 7 };

/* An entry of user data is type and length, a byte each, and the value. */
static void put_comment(struct nft *b, uint16_t attribute, uint8_t type, const char *comment)
{
	uint8_t data[2 + NFT_COMMENT] = { type };
	size_t len;

	if (!comment || !*comment)
		return;
	len = strnlen(comment, NFT_COMMENT - 1);
	data[1] = (uint8_t)(len + 1);
	memcpy(data + 2, comment, len);
	nft_put(b, attribute, data, 2 + len + 1);
}

bool nft_comment_of(char out[static NFT_COMMENT], const struct nlattr *userdata)
{
	const uint8_t *data = userdata ? mnl_attr_get_payload(userdata) : NULL;
	size_t left = userdata ? mnl_attr_get_payload_len(userdata) : 0;

	out[0] = '\0';
	for (; left > 2 && data[1] <= left - 2; left -= 2U + data[1], data += 2 + data[1]) {
		if (data[0] != COMMENT)
			continue;
		(void)snprintf(out, NFT_COMMENT, "%.*s", data[1], (const char *)data + 2);
		return true;
	}
	return false;
}

void nft_table(struct nft *b, const char *comment)
{
	nft_message(b, NFTABLES(NFT_MSG_NEWTABLE), NLM_F_CREATE | NLM_F_EXCL, 0);
	nft_put_str(b, NFTA_TABLE_NAME, b->table);
	nft_put_u32(b, NFTA_TABLE_FLAGS, 0);
	b->comment = b->len + sizeof(struct nlattr) + 2;
	put_comment(b, NFTA_TABLE_USERDATA, COMMENT, comment);
}

void nft_table_comment(struct nft *b, const char *comment)
{
	if (!b->failed)
		memcpy(b->at + b->comment, comment, strlen(comment));
}

void nft_table_dormant(struct nft *b, bool dormant)
{
	nft_message(b, NFTABLES(NFT_MSG_NEWTABLE), 0, 0);
	nft_put_str(b, NFTA_TABLE_NAME, b->table);
	nft_put_u32(b, NFTA_TABLE_FLAGS, dormant ? NFT_TABLE_F_DORMANT : 0);
}

void nft_delete_table(struct nft *b)
{
	nft_message(b, NFTABLES(NFT_MSG_DELTABLE), 0, 0);
	nft_put_str(b, NFTA_TABLE_NAME, b->table);
}

/* The size is left out: the kernel begins with a small table and accepts 65535 elements. */
void nft_set(struct nft *b, const struct nft_set *set)
{
	nft_message(b, NFTABLES(NFT_MSG_NEWSET), NLM_F_CREATE, 0);
	nft_put_str(b, NFTA_SET_TABLE, b->table);
	nft_put_str(b, NFTA_SET_NAME, set->name);
	nft_put_u32(b, NFTA_SET_ID, ++b->sets);
	nft_put_u32(b, NFTA_SET_KEY_TYPE, set->key_type);
	nft_put_u32(b, NFTA_SET_KEY_LEN, set->key_len);
	if (set->timeout) {
		nft_put_u32(b, NFTA_SET_FLAGS, NFT_SET_TIMEOUT | NFT_SET_EVAL);
		nft_put_u64(b, NFTA_SET_TIMEOUT, set->timeout);
		nft_put_u32(b, NFTA_SET_GC_INTERVAL, set->gc);
	}
	put_comment(b, NFTA_SET_USERDATA, SET_COMMENT, set->comment);
}

void nft_put_element(struct nft *b, const char *set, const void *key, size_t len, uint64_t timeout,
		     const char *comment)
{
	nft_put_str(b, NFTA_SET_ELEM_LIST_TABLE, b->table);
	nft_put_str(b, NFTA_SET_ELEM_LIST_SET, set);
	nft_nest (b, NFTA_SET_ELEM_LIST_ELEMENTS)
		nft_nest (b, NFTA_LIST_ELEM) {
			nft_nest (b, NFTA_SET_ELEM_KEY)
				nft_put(b, NFTA_DATA_VALUE, key, len);
			if (timeout)
				nft_put_u64(b, NFTA_SET_ELEM_TIMEOUT, timeout);
			put_comment(b, NFTA_SET_ELEM_USERDATA, COMMENT, comment);
		}
}

void nft_element(struct nft *b, const char *set, const void *key, size_t len, uint64_t timeout,
		 const char *comment)
{
	nft_message(b, NFTABLES(NFT_MSG_NEWSETELEM), NLM_F_CREATE | NLM_F_EXCL, 0);
	nft_put_element(b, set, key, len, timeout, comment);
}

void nft_delete_element(struct nft *b, const char *set, const void *key, size_t len)
{
	nft_message(b, NFTABLES(NFT_MSG_DELSETELEM), 0, 0);
	nft_put_element(b, set, key, len, 0, NULL);
}

void nft_counter_object(struct nft *b, const char *name)
{
	nft_message(b, NFTABLES(NFT_MSG_NEWOBJ), NLM_F_CREATE, 0);
	nft_put_str(b, NFTA_OBJ_TABLE, b->table);
	nft_put_str(b, NFTA_OBJ_NAME, name);
	nft_put_u32(b, NFTA_OBJ_TYPE, NFT_OBJECT_COUNTER);
	nft_nest (b, NFTA_OBJ_DATA) {
	}
}

void nft_chain(struct nft *b, const char *name)
{
	nft_message(b, NFTABLES(NFT_MSG_NEWCHAIN), NLM_F_CREATE, 0);
	nft_put_str(b, NFTA_CHAIN_TABLE, b->table);
	nft_put_str(b, NFTA_CHAIN_NAME, name);
}

void nft_base_chain(struct nft *b, const char *name, const char *type, uint32_t hook,
		    int32_t priority)
{
	nft_chain(b, name);
	nft_nest (b, NFTA_CHAIN_HOOK) {
		nft_put_u32(b, NFTA_HOOK_HOOKNUM, hook);
		nft_put_u32(b, NFTA_HOOK_PRIORITY, (uint32_t)priority);
	}
	nft_put_u32(b, NFTA_CHAIN_POLICY, NF_ACCEPT);
	nft_put_str(b, NFTA_CHAIN_TYPE, type);
}

void nft_rule_open(struct nft *b, const char *chain)
{
	nft_message(b, NFTABLES(NFT_MSG_NEWRULE), NLM_F_CREATE | NLM_F_APPEND, 0);
	nft_put_str(b, NFTA_RULE_TABLE, b->table);
	nft_put_str(b, NFTA_RULE_CHAIN, chain);
	nft_nest_open(b, NFTA_RULE_EXPRESSIONS);
}

void nft_rule_close(struct nft *b, const char *phrase)
{
	nft_nest_close(b);
	put_comment(b, NFTA_RULE_USERDATA, COMMENT, phrase);
}
