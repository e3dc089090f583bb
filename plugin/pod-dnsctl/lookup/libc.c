/* SPDX-License-Identifier: Apache-2.0 */
/* libc.c: calls glibc's or musl's resolver. */
#include "pod-dnsctl/lookup/libc.h"
#include "pod-dnsctl/lookup/libc_private.h"

const char *const libc_names[] = { "glibc", "musl", NULL };

void libc_read(struct libc_conf *c, enum libc libc, const char *text, struct arena *a)
{
	static const struct addr loopback = {
		.byte = { [10] = 0xff, [11] = 0xff, [12] = 127, [15] = 1 }
	};

	*c = (struct libc_conf){ .libc = libc, .ndots = 1, .attempts = 2 };
	if (libc == LIBC_GLIBC)
		glibc_read(c, text, a);
	else
		musl_read(c, text, a);
	if (!c->n)
		libc_add_server(c, &loopback);
}

void libc_look_up(struct libc_lookup *out, const struct libc_conf *c, const char *name,
		  libc_answers *answers, void *context, struct arena *a)
{
	struct libc_asking l = { out, c, answers, context, a, 0 };
	const char *zone;
	struct addr address;

	out->n = 0;
	out->end = LIBC_END_NOWHERE;
	if (libc_is_v4(&address, name) || libc_is_v6(&address, name, &zone, a))
		out->end = LIBC_END_ADDRESS;
	else if (c->fault)
		out->end = LIBC_END_FAULT;
	else if (c->libc == LIBC_GLIBC)
		glibc_look_up(&l, name);
	else
		musl_look_up(&l, name);
	for (size_t i = 0; i < out->n; i++)
		out->at[i].name = libc_sent_name(&l, out->at[i].name);
}
