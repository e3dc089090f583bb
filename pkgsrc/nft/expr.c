/* SPDX-License-Identifier: Apache-2.0 */
/* expr.c: nftables' expressions, one function each. */
#include "nft/expr.h"

#include <linux/netfilter.h>
#include <linux/netfilter/nf_nat.h>

/* An expression. Its attributes are put in the scope that follows. */
#define expression(b, name)                                                        \
	NFT_ONCE(NFT_NAME(expression_, __COUNTER__), expression_open((b), (name)), \
		 expression_close(b))

static void expression_open_as(struct nft *b, uint16_t type, const char *name)
{
	nft_nest_open(b, type);
	nft_put_str(b, NFTA_EXPR_NAME, name);
	nft_nest_open(b, NFTA_EXPR_DATA);
}

static void expression_open(struct nft *b, const char *name)
{
	expression_open_as(b, NFTA_LIST_ELEM, name);
}

static void expression_close(struct nft *b)
{
	nft_nest_close(b);
	nft_nest_close(b);
}

static void put_data(struct nft *b, uint16_t type, const void *data, size_t len)
{
	nft_nest (b, type)
		nft_put(b, NFTA_DATA_VALUE, data, len);
}

void nft_meta_load(struct nft *b, uint32_t key, uint32_t dreg)
{
	expression (b, "meta") {
		nft_put_u32(b, NFTA_META_DREG, dreg);
		nft_put_u32(b, NFTA_META_KEY, key);
	}
}

static void cmp(struct nft *b, uint32_t op, uint32_t sreg, const void *data, size_t len)
{
	expression (b, "cmp") {
		nft_put_u32(b, NFTA_CMP_SREG, sreg);
		nft_put_u32(b, NFTA_CMP_OP, op);
		put_data(b, NFTA_CMP_DATA, data, len);
	}
}

void nft_cmp_eq(struct nft *b, uint32_t sreg, const void *data, size_t len)
{
	cmp(b, NFT_CMP_EQ, sreg, data, len);
}

void nft_cmp_neq(struct nft *b, uint32_t sreg, const void *data, size_t len)
{
	cmp(b, NFT_CMP_NEQ, sreg, data, len);
}

void nft_payload_load(struct nft *b, uint32_t len, uint32_t base, uint32_t offset, uint32_t dreg)
{
	expression (b, "payload") {
		nft_put_u32(b, NFTA_PAYLOAD_DREG, dreg);
		nft_put_u32(b, NFTA_PAYLOAD_BASE, base);
		nft_put_u32(b, NFTA_PAYLOAD_OFFSET, offset);
		nft_put_u32(b, NFTA_PAYLOAD_LEN, len);
	}
}

void nft_payload_write(struct nft *b, uint32_t sreg, uint32_t len, uint32_t base, uint32_t offset,
		       struct nft_csum csum)
{
	expression (b, "payload") {
		nft_put_u32(b, NFTA_PAYLOAD_SREG, sreg);
		nft_put_u32(b, NFTA_PAYLOAD_BASE, base);
		nft_put_u32(b, NFTA_PAYLOAD_OFFSET, offset);
		nft_put_u32(b, NFTA_PAYLOAD_LEN, len);
		nft_put_u32(b, NFTA_PAYLOAD_CSUM_TYPE, csum.type);
		nft_put_u32(b, NFTA_PAYLOAD_CSUM_OFFSET, csum.offset);
		if (csum.flags)
			nft_put_u32(b, NFTA_PAYLOAD_CSUM_FLAGS, csum.flags);
	}
}

void nft_bitwise_and(struct nft *b, uint32_t reg, const void *mask, size_t len)
{
	static const uint8_t zero[NFT_KEY];

	expression (b, "bitwise") {
		nft_put_u32(b, NFTA_BITWISE_SREG, reg);
		nft_put_u32(b, NFTA_BITWISE_DREG, reg);
		nft_put_u32(b, NFTA_BITWISE_LEN, (uint32_t)len);
		put_data(b, NFTA_BITWISE_MASK, mask, len);
		put_data(b, NFTA_BITWISE_XOR, zero, len);
	}
}

void nft_immediate(struct nft *b, uint32_t dreg, const void *data, size_t len)
{
	expression (b, "immediate") {
		nft_put_u32(b, NFTA_IMMEDIATE_DREG, dreg);
		put_data(b, NFTA_IMMEDIATE_DATA, data, len);
	}
}

static void verdict(struct nft *b, int32_t code, const char *chain)
{
	expression (b, "immediate") {
		nft_put_u32(b, NFTA_IMMEDIATE_DREG, NFT_REG_VERDICT);
		nft_nest (b, NFTA_IMMEDIATE_DATA)
			nft_nest (b, NFTA_DATA_VERDICT) {
				nft_put_u32(b, NFTA_VERDICT_CODE, (uint32_t)code);
				if (chain)
					nft_put_str(b, NFTA_VERDICT_CHAIN, chain);
			}
	}
}

void nft_verdict(struct nft *b, int32_t code)
{
	verdict(b, code, NULL);
}

void nft_goto(struct nft *b, const char *chain)
{
	verdict(b, NFT_GOTO, chain);
}

void nft_jump(struct nft *b, const char *chain)
{
	verdict(b, NFT_JUMP, chain);
}

static void lookup(struct nft *b, uint32_t sreg, const char *set, uint32_t flags)
{
	expression (b, "lookup") {
		nft_put_str(b, NFTA_LOOKUP_SET, set);
		nft_put_u32(b, NFTA_LOOKUP_SREG, sreg);
		if (flags)
			nft_put_u32(b, NFTA_LOOKUP_FLAGS, flags);
	}
}

void nft_lookup(struct nft *b, uint32_t sreg, const char *set)
{
	lookup(b, sreg, set, 0);
}

void nft_lookup_inverted(struct nft *b, uint32_t sreg, const char *set)
{
	lookup(b, sreg, set, NFT_LOOKUP_F_INV);
}

static void put_update(struct nft *b, uint32_t sreg_key, const char *set)
{
	nft_put_str(b, NFTA_DYNSET_SET_NAME, set);
	nft_put_u32(b, NFTA_DYNSET_OP, NFT_DYNSET_OP_UPDATE);
	nft_put_u32(b, NFTA_DYNSET_SREG_KEY, sreg_key);
}

void nft_dynset_update(struct nft *b, uint32_t sreg_key, const char *set, uint64_t timeout)
{
	expression (b, "dynset") {
		put_update(b, sreg_key, set);
		if (timeout)
			nft_put_u64(b, NFTA_DYNSET_TIMEOUT, timeout);
	}
}

static void put_rate(struct nft *b, struct nft_rate rate)
{
	nft_put_u64(b, NFTA_LIMIT_RATE, rate.packets);
	nft_put_u64(b, NFTA_LIMIT_UNIT, rate.seconds);
	nft_put_u32(b, NFTA_LIMIT_BURST, rate.burst);
	nft_put_u32(b, NFTA_LIMIT_TYPE, NFT_LIMIT_PKTS);
}

void nft_limit(struct nft *b, struct nft_rate rate)
{
	expression (b, "limit")
		put_rate(b, rate);
}

void nft_dynset_update_limited(struct nft *b, uint32_t sreg_key, const char *set,
			       struct nft_rate rate)
{
	expression (b, "dynset") {
		put_update(b, sreg_key, set);
		expression_open_as(b, NFTA_DYNSET_EXPR, "limit");
		put_rate(b, rate);
		expression_close(b);
	}
}

void nft_dup(struct nft *b, uint32_t sreg_addr)
{
	expression (b, "dup")
		nft_put_u32(b, NFTA_DUP_SREG_ADDR, sreg_addr);
}

void nft_socket_load(struct nft *b, uint32_t key, uint32_t dreg)
{
	expression (b, "socket") {
		nft_put_u32(b, NFTA_SOCKET_KEY, key);
		nft_put_u32(b, NFTA_SOCKET_DREG, dreg);
	}
}

/* The type is one byte. If it were four bytes, the kernel would take the first, which is 0. */
void nft_exthdr_load(struct nft *b, uint32_t len, uint8_t type, uint32_t offset, uint32_t dreg)
{
	expression (b, "exthdr") {
		nft_put_u32(b, NFTA_EXTHDR_DREG, dreg);
		nft_put_u8(b, NFTA_EXTHDR_TYPE, type);
		nft_put_u32(b, NFTA_EXTHDR_OFFSET, offset);
		nft_put_u32(b, NFTA_EXTHDR_LEN, len);
	}
}

void nft_count(struct nft *b, const char *counter)
{
	expression (b, "objref") {
		nft_put_u32(b, NFTA_OBJREF_IMM_TYPE, NFT_OBJECT_COUNTER);
		nft_put_str(b, NFTA_OBJREF_IMM_NAME, counter);
	}
}

/* The data attribute is left out: the kernel refuses it here. */
void nft_notrack(struct nft *b)
{
	nft_nest (b, NFTA_LIST_ELEM)
		nft_put_str(b, NFTA_EXPR_NAME, "notrack");
}

void nft_dnat(struct nft *b, uint32_t sreg_addr)
{
	expression (b, "nat") {
		nft_put_u32(b, NFTA_NAT_TYPE, NFT_NAT_DNAT);
		nft_put_u32(b, NFTA_NAT_FAMILY, b->v6 ? NFPROTO_IPV6 : NFPROTO_IPV4);
		nft_put_u32(b, NFTA_NAT_REG_ADDR_MIN, sreg_addr);
	}
}
