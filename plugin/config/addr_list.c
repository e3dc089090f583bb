/* SPDX-License-Identifier: Apache-2.0 */
/* addr_list.c: lists of addresses, paired by rank within their family. */
#include "config/addr_list.h"

bool addr_list_make(struct addr_list *list, size_t n, struct err *e)
{
	addr_list_done(list);
	list->at = calloc(n + 1, sizeof(*list->at));
	return list->at || err_set(e, ERR_IO, ": out of memory");
}

bool addr_list_read(const json_t *v, const struct json_row *row, void *out, struct err *e)
{
	struct addr_list *list = out;

	if (!addr_list_make(list, json_array_size(v), e) || !json_read_each(v, row, list->at, e))
		return false;
	list->n = json_array_size(v);
	return true;
}

void addr_list_done(struct addr_list *list)
{
	free(list->at);
	*list = (struct addr_list){ 0 };
}

size_t addr_list_find(const struct addr_list *list, const struct addr *a)
{
	size_t i = 0;

	while (i < list->n && !addr_same(&list->at[i], a))
		i++;
	return i;
}

bool addr_list_have(const struct addr_list *list, const struct addr *a)
{
	return addr_list_find(list, a) < list->n;
}

size_t addr_list_rank(const struct addr_list *list, const struct addr *a)
{
	size_t end = addr_list_find(list, a), rank = 0;

	for (size_t i = 0; i < end; i++)
		if (addr_is_v4(&list->at[i]) == addr_is_v4(a))
			rank += addr_list_find(list, &list->at[i]) == i;
	return rank;
}

const struct addr *addr_list_of_rank(const struct addr_list *list, bool v4, size_t rank)
{
	for (size_t i = 0; i < list->n; i++) {
		const struct addr *a = &list->at[i];

		if (addr_is_v4(a) == v4 && addr_list_find(list, a) == i && rank-- == 0)
			return a;
	}
	return NULL;
}
