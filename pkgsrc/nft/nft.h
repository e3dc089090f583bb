/* SPDX-License-Identifier: Apache-2.0 */
/*
 * nft.h: a batch of nftables messages under construction, and questions to nftables.
 *
 * The batch lies in the caller's memory and latches: once something does not fit, later puts do
 * nothing and nft_end() fails. So the code reads like the message:
 *
 *	nft_begin(&b, memory, sizeof(memory), false, "pod-dns");
 *	nft_table(&b, "made by hand");
 *	nft_chain(&b, "query");
 *	nft_rule(&b, "query", "send it to the cache")
 *	{
 *		nft_immediate(&b, NFT_REG_1, cache, 4);
 *		nft_payload_write(&b, …);
 *	}
 *	if (!nft_end(&b, e) || !nl_send(nl, &b.batch, &refused, e)) …
 *
 * A scope is a loop that runs once: there must be no break or return in it. A rule's phrase becomes
 * its comment, so that `nft list ruleset` explains itself and errors name the rule. Only the last
 * message requests an ack, since the socket's buffer holds 256 of them; refusals come in any case.
 */
#ifndef PKG_NFT_H
#define PKG_NFT_H

#include "nft/nl.h"

#include <linux/netfilter/nf_tables.h>

enum {
	NFT_DEPTH = 8,	       /* open nests */
	NFT_COMMENT = 128 + 1, /* nft cuts at 128 */
	NFT_KEY = 32,	       /* bytes of a set's key */
	NFT_REQUEST = 1024,    /* bytes; enough for any question */
	NFT_DIFFERENCE = 192,
};

struct nft {
	struct nl_batch batch; /* valid after nft_end() */
	char *at;	       /* the caller's */
	size_t room, len;
	bool failed;
	bool v6; /* the family of every message */
	const char *table;
	uint32_t n;		 /* messages so far: the next sequence number */
	uint32_t sets;		 /* number of the last set in its family */
	size_t begun;		 /* where the table's messages begin */
	size_t comment;		 /* where the table's comment begins */
	size_t last;		 /* where the last message begins */
	size_t nests[NFT_DEPTH]; /* where each open nest begins */
	size_t depth;
};

/* Begins a transaction, with a table. `table` is not copied. */
void nft_begin(struct nft *b, void *memory, size_t room, bool v6, const char *table);

/* Continues the transaction with the table of another family. */
void nft_begin_table(struct nft *b, bool v6, const char *table);

/* Whether the message that nl_send_told() names is for IPv6. */
bool nft_is_v6(const struct nft *b, uint32_t seq);

/* Whether that message is a rule with an expression of that name. */
bool nft_uses(const struct nft *b, uint32_t seq, const char *expression);

/* Ends the batch. ERR_STEER: it did not fit into the memory. */
bool nft_end(struct nft *b, struct err *e);

/* A hash of the table's messages except those that create or delete it: its comment may hold the
 * hash. */
uint64_t nft_hash(const struct nft *b);

/* Creates the table. If there is one, the kernel refuses the whole transaction with EEXIST. */
void nft_table(struct nft *b, const char *comment);

/* Replaces the comment of the table that was created last by one of the same length. */
void nft_table_comment(struct nft *b, const char *comment);

/* Switches all chains of the table off and on again: the flag `dormant`. */
void nft_table_dormant(struct nft *b, bool dormant);
void nft_delete_table(struct nft *b);

struct nft_set {
	const char *name, *comment;
	uint32_t key_type; /* nft's number of the data type; only for display */
	uint32_t key_len;
	uint64_t timeout; /* ms; not 0: rules may add elements, which expire */
	uint32_t gc;	  /* ms */
};
enum {
	NFT_TYPE_INTEGER = 4,
	NFT_TYPE_IPV4 = 7,
	NFT_TYPE_IPV6 = 8,
	NFT_TYPE_PORT = 13,
	NFT_TYPE_MARK = 19
};
#define NFT_CONCAT(a, b) ((uint32_t)(a) << 6 | (uint32_t)(b))

void nft_set(struct nft *b, const struct nft_set *set);

/* An element. EEXIST if there is one with that key. timeout 0: the set's; comment NULL: none. */
void nft_element(struct nft *b, const char *set, const void *key, size_t len, uint64_t timeout,
		 const char *comment);
void nft_delete_element(struct nft *b, const char *set, const void *key, size_t len);

/* A counter with a name, which rules refer to: nft_count(). */
void nft_counter_object(struct nft *b, const char *name);

void nft_base_chain(struct nft *b, const char *name, const char *type, uint32_t hook,
		    int32_t priority);
void nft_chain(struct nft *b, const char *name);

#define NFT_ONCE(name, open, close) for (bool name = ((open), true); name; (close), (name) = false)
#define NFT_NAME_(a, n)		    a##n
#define NFT_NAME(a, n)		    NFT_NAME_(a, n)

/* Appends a rule to the chain. The expressions (expr.h) are put in the scope that follows. */
#define nft_rule(b, chain, phrase)                                          \
	NFT_ONCE(NFT_NAME(rule_, __COUNTER__), nft_rule_open((b), (chain)), \
		 nft_rule_close((b), (phrase)))
void nft_rule_open(struct nft *b, const char *chain);
void nft_rule_close(struct nft *b, const char *phrase);

/* A nested attribute. */
#define nft_nest(b, type) \
	NFT_ONCE(NFT_NAME(nest_, __COUNTER__), nft_nest_open((b), (type)), nft_nest_close(b))
void nft_nest_open(struct nft *b, uint16_t type);
void nft_nest_close(struct nft *b);

/* Describes a message: `rule "probe the cache"`. */
void nft_name(const struct nlmsghdr *message, char *out, size_t room);

/* Attributes; integers go out in network byte order. */
void nft_put(struct nft *b, uint16_t type, const void *data, size_t len);
void nft_put_str(struct nft *b, uint16_t type, const char *s);
void nft_put_u8(struct nft *b, uint16_t type, uint8_t value);
void nft_put_u32(struct nft *b, uint16_t type, uint32_t value);
void nft_put_u64(struct nft *b, uint16_t type, uint64_t value);

/* Questions. `refused` as for nl_send(); ENOENT: the table, set or element does not exist. */

struct nft_request {
	bool v6;
	const char *table;
	uint16_t get;	  /* NFT_MSG_GET… */
	bool all;	  /* a dump of all that the table, or the named set, has */
	uint16_t name_as; /* the attribute for `name` */
	const char *name; /* NULL: none */
	const void *key;  /* of an element; NULL: none */
	size_t len;
};

/* The answer as of nl_ask(), without messages about other tables. */
bool nft_dump(const struct nl *nl, const struct nft_request *q, struct nl_messages *answer,
	      int *refused, struct err *e);

struct nft_table_found {
	bool dormant;
	bool owned; /* by a process, which alone may change it and with which it ends */
	uint32_t n; /* of chains, sets and counters */
	char comment[NFT_COMMENT]; /* "": none */
};
bool nft_find_table(const struct nl *nl, bool v6, const char *table, struct nft_table_found *found,
		    int *refused, struct err *e);

struct nft_element_found {
	uint8_t key[NFT_KEY];
	size_t len;
	char comment[NFT_COMMENT]; /* "": none */
};
bool nft_find_element(const struct nl *nl, bool v6, const char *table, const char *set,
		      const void *key, size_t len, struct nft_element_found *found, int *refused,
		      struct err *e);

/* Calls the reader for every element of a set, until it returns false. It may put other questions.
 */
typedef bool nft_element_reader(const struct nft_element_found *found, void *context);
bool nft_each_element(const struct nl *nl, bool v6, const char *table, const char *set,
		      nft_element_reader *read, void *context, int *refused, struct err *e);

/*
 * Deletes addresses from every set of the tables that has addresses of that family as keys. They
 * need not be there, nor the tables. All goes in one transaction.
 */
struct nft_address {
	bool v6;
	uint8_t at[NFT_KEY];
	size_t len;
};
bool nft_forget(const struct nl *nl, const char *table, const struct nft_address *list, size_t n,
		struct err *e);

/*
 * Whether a table that was found, with `parts` chains, sets and counters, has those of the batch,
 * which holds only this table: as many in all, and each chain with as many rules, as many jumps to
 * it and the same policy. `difference` becomes "" or names the first difference. Each chain is
 * asked for by its name: how much is read does not depend on what others have put into the table.
 */
bool nft_is_whole(const struct nl *nl, const struct nft *b, uint32_t parts,
		  char difference[static NFT_DIFFERENCE], struct err *e);

/* The packets that a counter with a name has seen. */
bool nft_read_counter(const struct nl *nl, bool v6, const char *table, const char *name,
		      uint64_t *packets, int *refused, struct err *e);

#endif
