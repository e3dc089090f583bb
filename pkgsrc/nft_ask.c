/* nft_ask.c: questions to nftables, and its answers. */
#include "nft_private.h"

#include <arpa/inet.h>
#include <string.h>

static bool read_table(const struct nlmsghdr *m, void *context)
{
	struct nft_table_found *found = context;
	const struct nlattr *flags = nft_attr(m, NFTA_TABLE_FLAGS);

	found->dormant = flags && ntohl(mnl_attr_get_u32(flags)) & NFT_TABLE_F_DORMANT;
	(void)nft_comment_of(found->comment, nft_attr(m, NFTA_TABLE_USERDATA));
	return true;
}

bool nft_find_table(const struct nl *nl, bool v6, const char *table, struct nft_table_found *found,
		    int *refused, struct err *e)
{
	char memory[NFT_REQUEST];
	struct nft b;

	*found = (struct nft_table_found){ 0 };
	nft_ask_begin(&b, memory, sizeof(memory), v6, table, NFT_MSG_GETTABLE, NLM_F_ACK);
	nft_put_str(&b, NFTA_TABLE_NAME, table);
	return nft_ask(nl, &b, read_table, found, refused, e);
}

struct elements {
	nft_element_reader *read;
	void *context;
};

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

static bool read_elements(const struct nlmsghdr *m, void *context)
{
	const struct nlattr *list = nft_attr(m, NFTA_SET_ELEM_LIST_ELEMENTS), *element;
	const struct elements *elements = context;

	if (!list)
		return true;
	attr_each_in (element, list) {
		struct nft_element_found found = element_of(element);

		if (!elements->read(&found, elements->context))
			return false;
	}
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
	char memory[NFT_REQUEST];
	struct nft_element_found kept = { .len = 0 };
	struct elements one = { keep_element, &kept };
	struct nft b;
	bool asked;

	nft_ask_begin(&b, memory, sizeof(memory), v6, table, NFT_MSG_GETSETELEM, NLM_F_ACK);
	nft_put_element(&b, set, key, len, 0, NULL);
	asked = nft_ask(nl, &b, read_elements, &one, refused, e);
	*found = kept;
	return asked;
}

bool nft_each_element(const struct nl *nl, bool v6, const char *table, const char *set,
		      nft_element_reader *read, void *context, int *refused, struct err *e)
{
	char memory[NFT_REQUEST];
	struct elements all = { read, context };
	struct nft b;

	nft_ask_begin(&b, memory, sizeof(memory), v6, table, NFT_MSG_GETSETELEM, NLM_F_DUMP);
	nft_put_str(&b, NFTA_SET_ELEM_LIST_TABLE, table);
	nft_put_str(&b, NFTA_SET_ELEM_LIST_SET, set);
	return nft_ask(nl, &b, read_elements, &all, refused, e);
}
