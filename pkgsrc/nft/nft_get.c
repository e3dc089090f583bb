/* SPDX-License-Identifier: Apache-2.0 */
/* nft_get.c: asks nftables. */
#include "nft/nft_private.h"

#include <arpa/inet.h>
#include <endian.h>
#include <string.h>

enum { OWNER = 0x2 }; /* NFT_TABLE_F_OWNER, of Linux 5.12 */

/* A dump of chains is for all tables, of which others may have ten thousand chains. */
static bool is_of_table(const struct nl_batch *request, const struct nlmsghdr *message)
{
	const struct nlattr *asked = nft_attr(request->data, NFT_IN_TABLE);
	const struct nlattr *told = nft_attr(message, NFT_IN_TABLE);

	return asked && told && strcmp(mnl_attr_get_str(asked), mnl_attr_get_str(told)) == 0;
}

static void put_question(struct nft *b, const struct nft_request *q)
{
	if (q->key) {
		nft_put_element(b, q->name, q->key, q->len, 0, NULL);
		return;
	}
	nft_put_str(b, NFT_IN_TABLE, q->table);
	if (q->name)
		nft_put_str(b, q->name_as, q->name);
}

bool nft_dump(const struct nl *nl, const struct nft_request *q, struct nl_messages *answer,
	      int *refused, struct err *e)
{
	char memory[NFT_REQUEST];
	struct nl_batch request;
	struct nft b;

	nft_ask_begin(&b, memory, sizeof(memory), q->v6, q->table, q->get, q->all ? NLM_F_DUMP : 0);
	put_question(&b, q);
	if (b.failed)
		return err_set(e, ERR_STEER, "a question that is too long");
	request = (struct nl_batch){
		.data = b.at, .len = b.len, .what = nft_what, .wants = is_of_table
	};
	return nl_ask(nl, &request, answer, refused, e);
}

bool nft_find_table(const struct nl *nl, bool v6, const char *table, struct nft_table_found *found,
		    int *refused, struct err *e)
{
	const struct nft_request question = { .v6 = v6, .table = table, .get = NFT_MSG_GETTABLE };
	auto_messages answer = { 0 };
	const struct nlattr *flags, *n;
	const struct nlmsghdr *m;

	*found = (struct nft_table_found){ 0 };
	if (!nft_dump(nl, &question, &answer, refused, e))
		return false;
	m = nl_next(&answer, NULL);
	flags = m ? nft_attr(m, NFTA_TABLE_FLAGS) : NULL;
	n = m ? nft_attr(m, NFTA_TABLE_USE) : NULL;
	found->dormant = flags && ntohl(mnl_attr_get_u32(flags)) & NFT_TABLE_F_DORMANT;
	found->owned = flags && ntohl(mnl_attr_get_u32(flags)) & OWNER;
	found->n = n ? ntohl(mnl_attr_get_u32(n)) : 0;
	(void)nft_comment_of(found->comment, m ? nft_attr(m, NFTA_TABLE_USERDATA) : NULL);
	return true;
}

/* Elements. */

static struct nft_element_found element_of(const struct nlattr *element)
{
	struct nft_element_found found = { .len = 0 };
	const struct nlattr *key = attr_find_in(element, NFTA_SET_ELEM_KEY);

	(void)nft_comment_of(found.comment, attr_find_in(element, NFTA_SET_ELEM_USERDATA));
	key = key ? attr_find_in(key, NFTA_DATA_VALUE) : NULL;
	if (key && mnl_attr_get_payload_len(key) <= sizeof(found.key)) {
		found.len = mnl_attr_get_payload_len(key);
		memcpy(found.key, mnl_attr_get_payload(key), found.len);
	}
	return found;
}

static bool read_elements(const struct nlmsghdr *m, nft_element_reader *read, void *context)
{
	const struct nlattr *list = nft_attr(m, NFTA_SET_ELEM_LIST_ELEMENTS), *element;

	if (!list)
		return true;
	attr_each_in (element, list) {
		struct nft_element_found found = element_of(element);

		if (!read(&found, context))
			return false;
	}
	return true;
}

static bool ask_for_elements(const struct nl *nl, const struct nft_request *q,
			     nft_element_reader *read, void *context, int *refused, struct err *e)
{
	auto_messages answer = { 0 };
	const struct nlmsghdr *m = NULL;

	if (!nft_dump(nl, q, &answer, refused, e))
		return false;
	while ((m = nl_next(&answer, m)) && read_elements(m, read, context))
		;
	return true;
}

static bool keep_element(const struct nft_element_found *found, void *context)
{
	*(struct nft_element_found *)context = *found;
	return false;
}

bool nft_find_element(const struct nl *nl, bool v6, const char *table, const char *set,
		      const void *key, size_t len, struct nft_element_found *found, int *refused,
		      struct err *e)
{
	const struct nft_request question = { .v6 = v6,
					      .table = table,
					      .get = NFT_MSG_GETSETELEM,
					      .name = set,
					      .key = key,
					      .len = len };

	*found = (struct nft_element_found){ .len = 0 };
	return ask_for_elements(nl, &question, keep_element, found, refused, e);
}

bool nft_each_element(const struct nl *nl, bool v6, const char *table, const char *set,
		      nft_element_reader *read, void *context, int *refused, struct err *e)
{
	const struct nft_request question = { .v6 = v6,
					      .table = table,
					      .get = NFT_MSG_GETSETELEM,
					      .all = true,
					      .name_as = NFTA_SET_ELEM_LIST_SET,
					      .name = set };

	return ask_for_elements(nl, &question, read, context, refused, e);
}

/* Counters. */

bool nft_read_counter(const struct nl *nl, bool v6, const char *table, const char *name,
		      uint64_t *packets, int *refused, struct err *e)
{
	auto_messages answer = { 0 };
	const struct nlattr *data, *found;
	const struct nlmsghdr *m;
	char memory[NFT_REQUEST];
	struct nl_batch request;
	struct nft b;

	*packets = 0;
	nft_ask_begin(&b, memory, sizeof(memory), v6, table, NFT_MSG_GETOBJ, 0);
	nft_put_str(&b, NFTA_OBJ_TABLE, table);
	nft_put_str(&b, NFTA_OBJ_NAME, name);
	nft_put_u32(&b, NFTA_OBJ_TYPE, NFT_OBJECT_COUNTER);
	if (b.failed)
		return err_set(e, ERR_STEER, "counter \"%s\": the name is too long", name);
	request = (struct nl_batch){ .data = b.at, .len = b.len, .what = nft_what };
	if (!nl_ask(nl, &request, &answer, refused, e))
		return false;
	m = nl_next(&answer, NULL);
	data = m ? nft_attr(m, NFTA_OBJ_DATA) : NULL;
	found = data ? attr_find_in(data, NFTA_COUNTER_PACKETS) : NULL;
	if (found && mnl_attr_get_payload_len(found) == sizeof(*packets))
		*packets = be64toh(mnl_attr_get_u64(found));
	return true;
}
