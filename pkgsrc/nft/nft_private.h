/* SPDX-License-Identifier: Apache-2.0 */
/* nft_private.h: what the nft*.c files share. */
#ifndef PKG_NFT_PRIVATE_H
#define PKG_NFT_PRIVATE_H

#include "nft/attr.h"
#include "nft/nft.h"

#include <linux/netfilter/nfnetlink.h>

#define NFTABLES(message) ((uint16_t)(NFNL_SUBSYS_NFTABLES << 8 | (message)))

/* Begins a message. The attributes that are put next belong to it. */
void nft_message(struct nft *b, uint16_t type, uint16_t flags, uint16_t resource);

/* Begins a question: a batch of one message without a transaction. */
void nft_ask_begin(struct nft *b, void *memory, size_t room, bool v6, const char *table,
		   uint16_t type, uint16_t flags);

/* The attributes of an element. timeout 0 and comment NULL: as for nft_element(). */
void nft_put_element(struct nft *b, const char *set, const void *key, size_t len, uint64_t timeout,
		     const char *comment);

/* In every kind of message this attribute names the table. */
enum { NFT_IN_TABLE = 1 };
_Static_assert(NFT_IN_TABLE == (int)NFTA_TABLE_NAME && NFT_IN_TABLE == (int)NFTA_SET_TABLE &&
		       NFT_IN_TABLE == (int)NFTA_SET_ELEM_LIST_TABLE &&
		       NFT_IN_TABLE == (int)NFTA_CHAIN_TABLE &&
		       NFT_IN_TABLE == (int)NFTA_RULE_TABLE,
	       "another type names the table");

static inline const struct nlattr *nft_attr(const struct nlmsghdr *message, uint16_t type)
{
	return attr_find(message, sizeof(struct nfgenmsg), type);
}

/* The comment in user data (may be NULL). False: it does not exist, and `out` is "". */
bool nft_comment_of(char out[static NFT_COMMENT], const struct nlattr *userdata);

/* For nl_batch.what. */
const char *nft_what(const struct nl_batch *batch, uint32_t seq, char *out, size_t room);

#endif
