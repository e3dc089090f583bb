/* SPDX-License-Identifier: Apache-2.0 */
/*
 * hold ROUNDS: what a workload with CAP_NET_ADMIN can do in its own network namespace. One netlink
 * batch deletes rules that do not exist, in a chain of many: the kernel walks the chain for each,
 * and any other transaction in the namespace waits for that long.
 */
#include <arpa/inet.h>
#include <err.h>
#include <linux/netfilter.h>
#include <linux/netfilter/nf_tables.h>
#include <linux/netfilter/nfnetlink.h>
#include <linux/netlink.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

enum { BATCH = 3 << 20, RULES = 120000, AT_ONCE = 10000 };

static _Alignas(16) char batch[BATCH];
static size_t len;

static struct nlmsghdr *put_message(uint16_t type, uint16_t flags, uint16_t resource)
{
	struct nlmsghdr *m = (struct nlmsghdr *)(void *)(batch + len);
	struct nfgenmsg *family = NLMSG_DATA(m);

	m->nlmsg_len = NLMSG_LENGTH(sizeof(*family));
	m->nlmsg_type = type;
	m->nlmsg_flags = NLM_F_REQUEST | flags;
	family->nfgen_family = type < NLMSG_MIN_TYPE + 2 ? 0 : NFPROTO_IPV4;
	family->res_id = htons(resource);
	len += m->nlmsg_len;
	return m;
}

static void put(struct nlmsghdr *m, uint16_t type, const void *data, size_t size)
{
	struct nlattr *attr = (struct nlattr *)(void *)(batch + len);

	attr->nla_type = type;
	attr->nla_len = (uint16_t)(NLA_HDRLEN + size);
	memcpy((char *)attr + NLA_HDRLEN, data, size);
	len += NLA_ALIGN(attr->nla_len);
	m->nlmsg_len += NLA_ALIGN(attr->nla_len);
}

static void begin(void)
{
	len = 0;
	memset(batch, 0, sizeof(batch));
	put_message(NFNL_MSG_BATCH_BEGIN, 0, NFNL_SUBSYS_NFTABLES);
}

static struct nlmsghdr *put_nft(int type, uint16_t flags)
{
	return put_message((uint16_t)(NFNL_SUBSYS_NFTABLES << 8 | type), flags, 0);
}

static void put_rule(int type, uint16_t flags)
{
	struct nlmsghdr *m = put_nft(type, flags);

	put(m, NFTA_RULE_TABLE, "hold", 5);
	put(m, NFTA_RULE_CHAIN, "many", 5);
	if (type == NFT_MSG_DELRULE)
		put(m, NFTA_RULE_HANDLE, &(uint64_t){ UINT64_MAX }, sizeof(uint64_t));
}

static void send_batch(int fd)
{
	put_message(NFNL_MSG_BATCH_END, 0, NFNL_SUBSYS_NFTABLES);
	if (send(fd, batch, len, 0) < 0)
		err(1, "send");
	while (recv(fd, batch, sizeof(batch), MSG_DONTWAIT) > 0)
		;
}

static void make_rules(int fd)
{
	begin();
	put(put_nft(NFT_MSG_NEWTABLE, NLM_F_CREATE), NFTA_TABLE_NAME, "hold", 5);
	struct nlmsghdr *chain = put_nft(NFT_MSG_NEWCHAIN, NLM_F_CREATE);
	put(chain, NFTA_CHAIN_TABLE, "hold", 5);
	put(chain, NFTA_CHAIN_NAME, "many", 5);
	send_batch(fd);
	for (int made = 0; made < RULES; made += AT_ONCE) {
		begin();
		for (int i = 0; i < AT_ONCE; i++)
			put_rule(NFT_MSG_NEWRULE, NLM_F_CREATE | NLM_F_APPEND);
		send_batch(fd);
	}
}

int main(int argc, char **argv)
{
	int fd = socket(AF_NETLINK, SOCK_RAW, NETLINK_NETFILTER), room = 2 * BATCH;
	int rounds = argc > 1 ? (int)strtol(argv[1], NULL, 10) : 1;

	if (fd < 0 || setsockopt(fd, SOL_SOCKET, SO_SNDBUFFORCE, &room, sizeof(room)) < 0)
		err(1, "socket");
	make_rules(fd);
	for (int i = 0; i < rounds; i++) {
		begin();
		while (len < BATCH - 128)
			put_rule(NFT_MSG_DELRULE, 0);
		(void)puts("holding");
		(void)fflush(stdout);
		send_batch(fd);
	}
	return 0;
}
