/* SPDX-License-Identifier: Apache-2.0 */
/*
 * expr.h: nftables' expressions, one function each, named and ordered as `nft --debug=netlink`
 * prints them:
 *
 *	[ payload load 4b @ network header + 16 => reg 1 ]
 *	nft_payload_load(b, 4, NFT_PAYLOAD_NETWORK_HEADER, 16, NFT_REG_1);
 *
 * They are called in the scope of nft_rule(). Numbers are in host order, data is as on the wire.
 */
#ifndef PKG_EXPR_H
#define PKG_EXPR_H

#include "nft/nft.h"

void nft_meta_load(struct nft *b, uint32_t key, uint32_t dreg);
void nft_cmp_eq(struct nft *b, uint32_t sreg, const void *data, size_t len);
void nft_cmp_neq(struct nft *b, uint32_t sreg, const void *data, size_t len);
void nft_payload_load(struct nft *b, uint32_t len, uint32_t base, uint32_t offset, uint32_t dreg);

/* The checksums that a write updates. */
struct nft_csum {
	uint32_t type;	 /* NFT_PAYLOAD_CSUM_INET: the one at `offset` of the same header */
	uint32_t offset; /* in that header */
	uint32_t flags;	 /* NFT_PAYLOAD_L4CSUM_PSEUDOHDR: the transport's too */
};
void nft_payload_write(struct nft *b, uint32_t sreg, uint32_t len, uint32_t base, uint32_t offset,
		       struct nft_csum csum);

/* reg = reg & mask */
void nft_bitwise_and(struct nft *b, uint32_t reg, const void *mask, size_t len);

void nft_immediate(struct nft *b, uint32_t dreg, const void *data, size_t len);
void nft_verdict(struct nft *b, int32_t code); /* NF_ACCEPT, NF_DROP, NFT_RETURN */
void nft_goto(struct nft *b, const char *chain);
void nft_jump(struct nft *b, const char *chain); /* returns behind the rule */

void nft_lookup(struct nft *b, uint32_t sreg, const char *set);
void nft_lookup_inverted(struct nft *b, uint32_t sreg, const char *set);

/* timeout in ms; 0: the set's. */
void nft_dynset_update(struct nft *b, uint32_t sreg_key, const char *set, uint64_t timeout);

/* Packets per that many seconds, and the burst. */
struct nft_rate {
	uint64_t packets, seconds;
	uint32_t burst;
};
void nft_limit(struct nft *b, struct nft_rate rate);

/* Updates the element; the rule goes on only while that element, which expires, keeps the rate. */
void nft_dynset_update_limited(struct nft *b, uint32_t sreg_key, const char *set,
			       struct nft_rate rate);

void nft_dup(struct nft *b, uint32_t sreg_addr);
void nft_socket_load(struct nft *b, uint32_t key, uint32_t dreg);

/* A field of an IPv6 extension header. */
void nft_exthdr_load(struct nft *b, uint32_t len, uint8_t type, uint32_t offset, uint32_t dreg);

void nft_count(struct nft *b, const char *counter); /* the counter's name */
void nft_notrack(struct nft *b);
void nft_dnat(struct nft *b, uint32_t sreg_addr);

#endif
