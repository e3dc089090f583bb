/* SPDX-License-Identifier: Apache-2.0 */
/* route.c: asks by which route the kernel sends packets (rtnetlink). */
#include "nft/route.h"
#include "nft/attr.h"

#include <linux/rtnetlink.h>
#include <stdio.h>
#include <string.h>

enum { QUESTION = 64 }; /* bytes: header, struct rtmsg, an address */

/* The interface by which a packet leaves the host. */
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

/* Returns the question's length. */
static size_t put_route_question(char *memory, uint32_t seq, const struct addr *to)
{
	size_t len = addr_is_v4(to) ? 4 : 16;
	struct nlmsghdr *m = mnl_nlmsg_put_header(memory);
	struct rtmsg *route = mnl_nlmsg_put_extra_header(m, sizeof(*route));

	m->nlmsg_type = RTM_GETROUTE;
	m->nlmsg_flags = NLM_F_REQUEST;
	m->nlmsg_seq = seq;
	route->rtm_family = addr_is_v4(to) ? AF_INET : AF_INET6;
	route->rtm_dst_len = (unsigned char)(8 * len);
	mnl_attr_put(m, RTA_DST, len, to->byte + sizeof(to->byte) - len);
	return m->nlmsg_len;
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

static bool is_same_way(const struct way *a, const struct way *b)
{
	return a->device == b->device && a->len == b->len &&
	       memcmp(a->gateway, b->gateway, a->len) == 0;
}

static bool read_shared_way(const struct nl_messages *answer, size_t n)
{
	const struct nlmsghdr *m = NULL;
	struct way first, way;

	for (size_t i = 0; i < n; i++) {
		m = nl_next(answer, m);
		if (!m || m->nlmsg_type != RTM_NEWROUTE || !read_way(i ? &way : &first, m) ||
		    (i && !is_same_way(&way, &first)))
			return false;
	}
	return true;
}

bool route_is_shared(const struct nl *route, const struct addr *to, size_t n)
{
	_Alignas(struct nlmsghdr) char memory[ROUTES_MAX * QUESTION];
	struct nl_batch questions = { .data = memory, .what = name_question };
	auto_messages answer = { 0 };

	if (!route->socket || !n || n > ROUTES_MAX)
		return false;
	for (uint32_t i = 0; i < n; i++)
		questions.len += put_route_question(memory + questions.len, i, &to[i]);
	questions.last = (uint32_t)n - 1;
	return nl_ask(route, &questions, &answer, NULL, NULL) && read_shared_way(&answer, n);
}
