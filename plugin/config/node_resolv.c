/* SPDX-License-Identifier: Apache-2.0 */
/* node_resolv.c: the node's own resolv.conf. */
#include "config/node_resolv.h"
#include "addr.h"
#include "file.h"

#include <fcntl.h>

static bool read_resolv_file(struct node_resolv *n, const char *path, struct err *e)
{
	size_t faulty;

	n->path = path;
	if (!file_read(&n->buffer, AT_FDCWD, path, true, e))
		return false;
	faulty = resolv_parse(&n->lists, n->buffer.at, n->buffer.len, RESOLV_NODE, FROM_NODE,
			      &n->arena);
	if (!arena_ok(&n->arena))
		return err_set(e, ERR_IO, "%s: out of memory", path);
	return !faulty ||
	       err_set(e, ERR_IO, "%s: line %zu: nameserver without a value", path, faulty);
}

static bool is_stub(const struct resolv *r)
{
	for (size_t i = 0; i < r->nameservers.n; i++)
		if (!addr_is_loopback(r->nameservers.at[i].text))
			return false;
	return r->nameservers.n > 0;
}

static bool read_any(struct node_resolv *n, const struct conf *c, struct err *e)
{
	n->buffer = TEXT_UP_TO(NODE_RESOLV_MAX);
	if (c->resolv_conf)
		return !*c->resolv_conf || read_resolv_file(n, c->resolv_conf, e);
	if (!read_resolv_file(n, "/etc/resolv.conf", e))
		return false;
	if (!is_stub(&n->lists) || access(NODE_RESOLV_RESOLVED, F_OK) < 0)
		return true;
	text_done(&n->buffer);
	return read_resolv_file(n, NODE_RESOLV_RESOLVED, e);
}

const struct resolv *node_resolv_lists(struct node_resolv *n, const struct conf *c, struct err *e)
{
	if (!n->is_read)
		(void)read_any(n, c, &n->fault);
	n->is_read = true;
	if (!n->fault.code)
		return &n->lists;
	(void)err_set(e, n->fault.code, "%s", n->fault.text);
	return NULL;
}

const char *node_resolv_text(struct node_resolv *n, const struct conf *c, struct arena *a,
			     struct err *e)
{
	const struct resolv *lists = node_resolv_lists(n, c, e);
	struct resolv cut;

	if (!lists)
		return NULL;
	cut = *lists;
	if (cut.nameservers.n > NODE_RESOLV_SERVERS)
		cut.nameservers.n = NODE_RESOLV_SERVERS;
	return resolv_text(&cut, NODE_RESOLV_MAX, a);
}

void node_resolv_done(struct node_resolv *n)
{
	text_done(&n->buffer);
	arena_done(&n->arena);
	*n = (struct node_resolv){ 0 };
}
