/* SPDX-License-Identifier: Apache-2.0 */
/* pod_addrs.c: a pod's own addresses. */
#include "cni/pod_addrs.h"

#include <stdio.h>
#include <string.h>

bool pod_addrs_have(const struct pod_addrs *list, const struct addr *a)
{
	for (size_t i = 0; i < list->n; i++)
		if (addr_same(&list->at[i], a))
			return true;
	return false;
}

/* A prefix length may follow. */
static void add_address(struct pod_addrs *list, const json_t *cidr)
{
	const char *text = json_string_value(cidr);
	char bare[ADDR_TEXT];
	struct addr a;

	if (!text)
		return;
	(void)snprintf(bare, sizeof(bare), "%.*s", (int)strcspn(text, "/"), text);
	if (addr_parse(&a, bare) && !pod_addrs_have(list, &a) && list->n < ADDRESSES_MAX)
		list->at[list->n++] = a;
}

static bool is_in_sandbox(const json_t *prev, const json_t *ip)
{
	const json_t *index = json_object_get(ip, "interface");
	const json_t *interface;
	const char *sandbox;

	if (!json_is_integer(index))
		return true;
	if (json_integer_value(index) < 0)
		return false;
	interface = json_array_get(json_object_get(prev, "interfaces"),
				   (size_t)json_integer_value(index));
	sandbox = json_string_value(json_object_get(interface, "sandbox"));
	return sandbox && *sandbox;
}

void pod_addrs_of_result(struct pod_addrs *list, const json_t *prev)
{
	json_t *ip;
	size_t i;

	list->n = 0;
	json_array_foreach (json_object_get(prev, "ips"), i, ip)
		if (is_in_sandbox(prev, ip))
			add_address(list, json_object_get(ip, "address"));
	add_address(list, json_object_get(json_object_get(prev, "ip4"), "ip"));
	add_address(list, json_object_get(json_object_get(prev, "ip6"), "ip"));
}

bool pod_addrs_only_ipv4(const json_t *prev)
{
	struct pod_addrs list;

	pod_addrs_of_result(&list, prev);
	for (size_t i = 0; i < list.n; i++)
		if (!addr_is_v4(&list.at[i]))
			return false;
	return list.n && list.n < ADDRESSES_MAX;
}
