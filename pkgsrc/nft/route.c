/* SPDX-License-Identifier: Apache-2.0 */
/* route.c: asks by which route the kernel sends packets (rtnetlink). */
#include "nft/route.h"
#include "nft/attr.h"

#include <linux/rtnetlink.h>
#include <stdio.h>
#include <string.h>

enum { QUESTION = 64 }; /* bytes: header, struct rtmsg, an address */

/* Where a packet leaves the host. */
struct way {
	uint32_t device;
	uint8_t gateway[16];
	size_t len;
};

static const char *name_question(const struct nl_batch *batch UNUSED, uint32_t seq UNUSED,
				 char *out, size_t room)
{
	(void)snprintf(out, room, "a route");
	return NULL;
}

static struct nl_batch put_route_question(char memory[static QUESTION], const struct addr *to)
{
	size_t len = addr_is_v4(to) ? 4 : 16;
	struct nlmsghdr *m = mnl_nlmsg_put_header(memory);
	struct rtmsg *route = mnl_nlmsg_put_extra_header(m, sizeof(*route));

	m->nlmsg_type = RTM_GETROUTE;
	m->nlmsg_flags = NLM_F_REQUEST | NLM_F_ACK;
	route->rtm_family = addr_is_v4(to) ? AF_INET : AF_INET6;
	route->rtm_dst_len = (unsigned char)(8 * len);
	mnl_attr_put(m, RTA_DST, len, to->byte + sizeof(to->byte) - len);
	return (struct nl_batch){ m, m->nlmsg_len, name_question, NULL };
}

static bool read_way(struct way *out, const struct nlmsghdr *m)
{
	const struct nlattr *device = attr_find(m, sizeof(struct rtmsg), RTA_OIF);
	const struct nlattr *gateway = attr_find(m, sizeof(struct rtmsg), RTA_GATEWAY);

	if (!device || !gateway || mnl_attr_get_payload_len(device) != sizeof(out->device) ||
	    mnl_attr_get_payload_len(gateway) > sizeof(out->gateway))
		return false;
	out->device = mnl_attr_get_u32(device);
	out->len = mnl_attr_get_payload_len(gateway);
	memcpy(out->gateway, mnl_attr_get_payload(gateway), out->len);
	return true;
}

static bool find_way(struct way *out, const struct nl *route, const struct addr *to)
{
	_Alignas(struct nlmsghdr) char memory[QUESTION];
	const struct nl_batch question = put_route_question(memory, to);
	auto_messages answer = { 0 };
	const struct nlmsghdr *m;

	if (!route->socket || !nl_ask(route, &question, &answer, NULL, NULL))
		return false;
	m = nl_next(&answer, NULL);
	return m && m->nlmsg_type == RTM_NEWROUTE && read_way(out, m);
}

bool route_is_shared(const struct nl *route, const struct addr *a, const struct addr *b)
{
	struct way x, y;

	return find_way(&x, route, a) && find_way(&y, route, b) && x.device == y.device &&
	       x.len == y.len && memcmp(x.gateway, y.gateway, x.len) == 0;
}
