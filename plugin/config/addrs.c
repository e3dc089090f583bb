/* SPDX-License-Identifier: Apache-2.0 */
/* addrs.c: lists of addresses, paired by rank within their family. */
#include "config/addrs.h"

bool addrs_make(struct addrs *list, size_t n, struct err *e)
{
	addrs_done(list);
	list->at = calloc(n + 1, sizeof(*list->at));
	return list->at || err_set(e, ERR_IO, ": out of memory");
}

bool addrs_read(const json_t *v, const struct json_row *row, void *out, struct err *e)
{
	struct addrs *list = out;

	if (!addrs_make(list, json_array_size(v), e) || !json_read_each(v, row, list->at, e))
		return false;
	list->n = json_array_size(v);
	return true;
}

void addrs_done(struct addrs *list)
{
	free(list->at);
	*list = (struct addrs){ 0 };
}

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
