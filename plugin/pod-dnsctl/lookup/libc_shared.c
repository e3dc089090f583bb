/* SPDX-License-Identifier: Apache-2.0 */
/* libc_shared.c: what glibc's and musl's resolver have in common. */
#include "pod-dnsctl/lookup/libc_private.h"

#include <arpa/inet.h>
#include <string.h>

bool libc_is_name(const char *name)
{
	enum { LABEL = 63, NAME = 253 };
	size_t len = strlen(name), label = 0;

	if (len > 1 && name[len - 1] == '.')
		len--;
	if (len == 0 || len > NAME)
		return false;
	if (len == 1 && *name == '.')
		return true;
	for (size_t i = 0; i < len; i++) {
		label = name[i] == '.' ? 0 : label + 1;
		if (label > LABEL || (name[i] == '.' && (i == 0 || name[i - 1] == '.')))
			return false;
	}
	return label > 0;
}

void libc_send(struct libc_asking *l, const char *name, bool aaaa, const struct addr *server)
{
	if (l->out->n < LIBC_QUERIES)
		l->out->at[l->out->n++] = (struct libc_query){ name, aaaa, server };
}

const char *libc_sent_name(const struct libc_asking *l, const char *name)
{
	size_t len = strlen(name);

	return len > 1 && name[len - 1] == '.' ? arena_print(l->arena, "%.*s", (int)len - 1, name)
					       : name;
}

enum libc_answer libc_ask(const struct libc_asking *l, const char *name)
{
	return l->answers(libc_sent_name(l, name), l->context);
}

bool libc_is_v4(struct addr *a, const char *s)
{
	struct in_addr v4;

	if (!*s || strpbrk(s, " \t\n\v\f\r") || !inet_aton(s, &v4))
		return false;
	*a = (struct addr){ .byte = { [10] = 0xff, [11] = 0xff } };
	memcpy(a->byte + 12, &v4, sizeof(v4));
	return true;
}

bool libc_is_v6(struct addr *a, const char *s, const char **zone, struct arena *arena)
{
	const char *percent = strchr(s, '%');
	const char *address = percent ? arena_print(arena, "%.*s", (int)(percent - s), s) : s;

	*zone = percent ? percent + 1 : NULL;
	return inet_pton(AF_INET6, address, a->byte) == 1;
}

void libc_add_server(struct libc_conf *c, const struct addr *a)
{
	if (c->n < LIBC_SERVERS)
		c->server[c->n++] = *a;
}

void libc_set_searches(struct libc_conf *c, const char *words, const char *blanks, struct arena *a)
{
	size_t len;

	c->searches = (struct resolv_list){ 0 };
	for (words += strspn(words, blanks); *words; words += strspn(words, blanks)) {
		len = strcspn(words, blanks);
		resolv_add(&c->searches, resolv_word(arena_print(a, "%.*s", (int)len, words), 0),
			   a);
		words += len;
	}
}
