/* SPDX-License-Identifier: Apache-2.0 */
/* addrs.c: lists of addresses, paired by rank within their family. */
#include "config/addrs.h"

size_t addrs_find(const struct addrs *list, const struct addr *a)
{
	size_t i = 0;

	while (i < list->n && !addr_same(&list->at[i], a))
		i++;
	return i;
}

bool addrs_have(const struct addrs *list, const struct addr *a)
{
	return addrs_find(list, a) < list->n;
}

size_t addrs_rank(const struct addrs *list, const struct addr *a)
{
	size_t end = addrs_find(list, a), rank = 0;

	for (size_t i = 0; i < end; i++)
		if (addr_is_v4(&list->at[i]) == addr_is_v4(a))
			rank += addrs_find(list, &list->at[i]) == i;
	return rank;
}

const struct addr *addrs_of_rank(const struct addrs *list, bool v4, size_t rank)
{
	for (size_t i = 0; i < list->n; i++) {
		const struct addr *a = &list->at[i];

		if (addr_is_v4(a) == v4 && addrs_find(list, a) == i && rank-- == 0)
			return a;
	}
	return NULL;
}
