/* SPDX-License-Identifier: Apache-2.0 */
/* guard.c: repairs configurations that Kubernetes allows and that break a C library. */
#include "policy/guard.h"
#include "addr.h"

#include <stdio.h>
#include <string.h>

/* The end of a warning about a fault that is repaired. */
static const char *repaired(enum guards guards, const char *fixed)
{
	return guards == GUARDS_FIX ? fixed : "";
}

/*
 * glibc stores up to six searches, each with its NUL, in 256 bytes. Later it asserts that it stored
 * all it was given. If one does not fit while those before it take 56 bytes or less, the assertion
 * fails and the process aborts (resolv/resolv_conf.c, resolv_conf_matches; 64-bit).
 */
bool guard_aborts_glibc(const struct resolv_list *searches, size_t *which)
{
	enum { STORED = 6, STORE = 256, SAFE_ABOVE = 56 };
	size_t used = 0;

	for (size_t i = 0; i < searches->n && i < STORED; i++) {
		size_t size = strlen(searches->at[i].text) + 1;

		if (used + size > STORE) {
			*which = i;
			return used <= SAFE_ABOVE;
		}
		used += size;
	}
	return false;
}

static void guard_glibc_abort(struct resolv *r, enum guards guards, struct warnings *w)
{
	size_t i;

	while (guard_aborts_glibc(&r->searches, &i)) {
		warn(w, "guard-glibc-abort", "search \"%s\" makes every lookup of glibc abort%s",
		     r->searches.at[i].text, repaired(guards, ": dropped"));
		if (guards != GUARDS_FIX)
			return;
		resolv_remove(&r->searches, i, w->arena);
	}
}

/* musl reads a line into 256 bytes. It skips a line that does not fit with its newline. */
static void guard_musl_line(const struct resolv *r, struct warnings *w)
{
	size_t line = strlen("search\n");

	for (size_t i = 0; i < r->searches.n; i++)
		line += 1 + strlen(r->searches.at[i].text);
	if (line > 255)
		warn(w, "guard-musl-line",
		     "the search line has %zu bytes: musl ignores one over 255 whole", line);
}

/* musl before 1.2.4 sends a malformed query for search ".". */
static void guard_root_search(const struct resolv *r, struct warnings *w)
{
	if (resolv_find(&r->searches, "."))
		warn(w, "guard-root-search", "search \".\" breaks lookups of musl before 1.2.4");
}

/* The text behind the first colon of the token, if the option has that name: a libc looks for the
 * value there; NULL: it has another name, or no value. */
static const char *value_of(const struct resolv_entry *option, const char *name)
{
	size_t len = strlen(name);

	return strncmp(option->text, name, len) == 0 && option->text[len] == ':'
		       ? option->text + len + 1
		       : NULL;
}

/*
 * Whether the value means no attempt or no time to some libc. glibc's atoi() reads a word as 0 and
 * keeps the low 32 bits of a long number: 4294967296 is 0, more digits are -1. musl takes the
 * option only if a digit follows.
 */
static bool is_fatal(const struct resolv_entry *option)
{
	const char *attempts = value_of(option, "attempts");
	const char *timeout = value_of(option, "timeout");

	if (attempts)
		return (int)strtol(attempts, NULL, 10) <= 0;
	return timeout && *timeout >= '0' && *timeout <= '9' && strtol(timeout, NULL, 10) == 0;
}

/*
 * attempts:0 makes musl divide by zero (SIGFPE) and glibc send no query. timeout:0 makes musl give
 * up at once.
 */
static void guard_zero(struct resolv *r, enum guards guards, struct warnings *w)
{
	for (size_t i = 0; i < r->options.n;) {
		const struct resolv_entry *o = &r->options.at[i];

		if (!is_fatal(o)) {
			i++;
			continue;
		}
		warn(w, "guard-zero",
		     "option \"%s\" makes lookups fail, of musl or of both libcs%s", o->text,
		     repaired(guards, ": dropped"));
		if (guards == GUARDS_FIX)
			resolv_remove(&r->options, i, w->arena);
		else
			i++;
	}
}

/* An ndots without a value replaces the base's ndots:5, and neither libc reads a value from it. */
static void guard_ndots(const struct resolv *r, struct warnings *w)
{
	for (size_t i = 0; i < r->options.n; i++) {
		const struct resolv_entry *o = &r->options.at[i];
		const char *value = value_of(o, "ndots");

		if (strcmp(o->text, "ndots") == 0 || (value && !*value))
			warn(w, "guard-ndots",
			     "option \"%s\" has no value: lookups go without ndots:5", o->text);
	}
}

/* For Kubernetes 010 is 10. inet_aton() reads it as 8, inet_pton() refuses it. */
static void guard_octal(struct resolv *r, enum guards guards, struct warnings *w)
{
	for (size_t i = 0; i < r->nameservers.n; i++) {
		const struct resolv_entry *server = &r->nameservers.at[i];
		char canonical[ADDR_TEXT];
		struct addr addr;

		if (!addr_parse(&addr, server->text) || !addr_has_leading_zeros(server->text))
			continue;
		addr_print(canonical, &addr);
		warn(w, "guard-octal",
		     "nameserver \"%s\" is %s to Kubernetes and another or none to a libc%s",
		     server->text, canonical, repaired(guards, ": written so"));
		if (guards == GUARDS_FIX)
			resolv_replace(&r->nameservers, i,
				       resolv_word(arena_print(w->arena, "%s", canonical),
						   server->from),
				       w->arena);
	}
}

static bool is_loopback(const struct resolv_entry *server, int from)
{
	return server->from == from && addr_is_loopback(server->text);
}

/* A pod cannot reach the node's stub resolver: its loopback is another one. */
static void guard_nodes_loopback(struct resolv *r, enum guards guards, struct warnings *w)
{
	size_t others = 0;
	bool drop;

	for (size_t i = 0; i < r->nameservers.n; i++)
		others += !is_loopback(&r->nameservers.at[i], FROM_NODE);
	drop = guards == GUARDS_FIX && others;
	for (size_t i = 0; i < r->nameservers.n;) {
		const struct resolv_entry *server = &r->nameservers.at[i];

		if (!is_loopback(server, FROM_NODE)) {
			i++;
			continue;
		}
		warn(w, "guard-loopback",
		     "nameserver \"%s\" is the node's loopback: a pod cannot reach it%s",
		     server->text, drop ? ": dropped" : "");
		if (drop)
			resolv_remove(&r->nameservers, i, w->arena);
		else
			i++;
	}
}

/* A KEPT pod's loopback server may be the node's stub (Default) or a sidecar's (None): warn only.
 */
static void guard_handed_loopback(const struct resolv *r, struct warnings *w)
{
	for (size_t i = 0; i < r->nameservers.n; i++)
		if (is_loopback(&r->nameservers.at[i], FROM_RUNTIME))
			warn(w, "guard-loopback",
			     "nameserver \"%s\" is loopback: nothing answers, unless a resolver "
			     "runs in the pod itself",
			     r->nameservers.at[i].text);
}

void guard(struct resolv *r, enum guards guards, struct warnings *w)
{
	if (guards == GUARDS_OFF)
		return;
	guard_glibc_abort(r, guards, w);
	guard_musl_line(r, w);
	guard_root_search(r, w);
	guard_zero(r, guards, w);
	guard_ndots(r, w);
	guard_octal(r, guards, w);
}

void guard_loopback(struct resolv *r, enum guards guards, struct warnings *w)
{
	if (guards == GUARDS_OFF)
		return;
	guard_nodes_loopback(r, guards, w);
	guard_handed_loopback(r, w);
}
