/* SPDX-License-Identifier: Apache-2.0 */
/*
 * attr.h: walks the attributes of a netlink message. libmnl's macros for this do not compile with
 * -Wconversion.
 */
#ifndef PKG_ATTR_H
#define PKG_ATTR_H

#include "base.h"

#include <libmnl/libmnl.h>

static inline bool attr_within(const struct nlattr *attr, const void *end)
{
	return mnl_attr_ok(attr, (int)((const char *)end - (const char *)attr));
}

static inline const void *attr_end(const struct nlattr *nest)
{
	return (const char *)mnl_attr_get_payload(nest) + mnl_attr_get_payload_len(nest);
}

/* Each attribute behind the first `skip` bytes (rounded up) of a message's payload. */
#define attr_each(attr, message, skip)                                   \
	for ((attr) = mnl_nlmsg_get_payload_offset((message), (skip));   \
	     attr_within((attr), mnl_nlmsg_get_payload_tail((message))); \
	     (attr) = mnl_attr_next((attr)))

/* Each attribute nested in another. */
#define attr_each_in(attr, nest)                                                           \
	for ((attr) = mnl_attr_get_payload((nest)); attr_within((attr), attr_end((nest))); \
	     (attr) = mnl_attr_next((attr)))

/* The first attribute of a type, or NULL. */
static inline const struct nlattr *attr_find(const struct nlmsghdr *message, size_t skip,
					     uint16_t type)
{
	const struct nlattr *attr;

	attr_each (attr, message, skip) {
		if (mnl_attr_get_type(attr) == type)
			return attr;
	}
	return NULL;
}

static inline const struct nlattr *attr_find_in(const struct nlattr *nest, uint16_t type)
{
	const struct nlattr *attr;

	attr_each_in (attr, nest) {
		if (mnl_attr_get_type(attr) == type)
			return attr;
	}
	return NULL;
}

#endif
