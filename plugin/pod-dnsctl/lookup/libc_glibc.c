/* SPDX-License-Identifier: Apache-2.0 */
/* libc_glibc.c: resolv/res_init.c and res_query.c of glibc 2.36, as far as queries show it. */
#include "pod-dnsctl/lookup/libc_private.h"
#include "policy/guard.h"

#include <string.h>

#define BLANKS " \t"

/*** resolv.conf ***/

/* The text behind the keyword and a blank; NULL: the line begins otherwise. */
static const char *glibc_words(const char *line, const char *keyword)
{
	size_t len = strlen(keyword);

	if (strncmp(line, keyword, len) != 0 || (line[len] != ' ' && line[len] != '\t'))
		return NULL;
	return line + len + strspn(line + len, BLANKS);
}

/* The first word. */
static const char *first_word(const char *words, struct arena *a)
{
	return arena_print(a, "%.*s", (int)strcspn(words, BLANKS), words);
}

static void read_glibc_server(struct libc_conf *c, const char *words, struct arena *a)
{
	const char *word = first_word(words, a), *zone;
	struct addr address;

	if (libc_is_v4(&address, word) || libc_is_v6(&address, word, &zone, a))
		libc_add_server(c, &address);
}

/* Does what atoi() does: skips blanks, and reads a word as 0. */
static int number(const char *s)
{
	return (int)strtol(s, NULL, 10);
}

static bool begins(const char *s, const char *with)
{
	return strncmp(s, with, strlen(with)) == 0;
}

static void read_option(struct libc_conf *c, const char *option)
{
	enum { NDOTS = 15, ATTEMPTS = 5 };
	int n;

	if (begins(option, "ndots:")) {
		n = number(option + strlen("ndots:"));
		c->ndots = n <= NDOTS ? (unsigned)n & NDOTS : NDOTS; /* a field of four bits */
	} else if (begins(option, "attempts:")) {
		n = number(option + strlen("attempts:"));
		c->attempts = n <= 0 ? 0 : n < ATTEMPTS ? (unsigned)n : ATTEMPTS;
	} else if (begins(option, "rotate")) {
		c->rotate = true;
	} else if (begins(option, "single-request")) {
		c->single_request = true;
	} else if (begins(option, "no-tld-query") || begins(option, "no_tld_query")) {
		c->no_tld_query = true;
	} else if (begins(option, "no-aaaa")) {
		c->no_aaaa = true;
	}
}

static void read_glibc_options(struct libc_conf *c, const char *words)
{
	for (; *words; words += strspn(words, BLANKS)) {
		read_option(c, words);
		words += strcspn(words, BLANKS);
	}
}

static void read_glibc_line(struct libc_conf *c, const char *line, struct arena *a)
{
	const char *words;

	if ((words = glibc_words(line, "nameserver")))
		read_glibc_server(c, words, a);
	else if ((words = glibc_words(line, "domain")) && *words)
		libc_set_searches(c, first_word(words, a), BLANKS, a);
	else if ((words = glibc_words(line, "search")) && *words) /* an empty one is ignored */
		libc_set_searches(c, words, BLANKS, a);
	else if ((words = glibc_words(line, "options")))
		read_glibc_options(c, words);
}

void glibc_read(struct libc_conf *c, const char *text, struct arena *a)
{
	size_t which;

	for (const char *end; *text; text = *end ? end + 1 : end) {
		end = text + strcspn(text, "\n");
		read_glibc_line(c, arena_print(a, "%.*s", (int)(end - text), text), a);
	}
	if (guard_aborts_glibc(&c->searches, &which))
		c->fault = "glibc aborts on this search list, at every lookup";
	else if (!c->attempts)
		c->fault = "with attempts:0 glibc sends no query";
}

/*** a lookup ***/

/* Does what __libc_res_hnok() does. */
static bool is_host_name(const char *name)
{
	return *name != '-' && libc_is_name(name) &&
	       !name[strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				  "0123456789_-.")];
}

/*
 * Asks the servers in turn, `attempts` times, until one does not fail. In single requests AAAA
 * follows the answer to A, and is not sent after a failure.
 */
static enum libc_answer ask_as_glibc(struct libc_asking *l, const char *name)
{
	const struct libc_conf *c = l->conf;
	enum libc_answer answer = libc_ask(l, name);
	size_t times = answer == LIBC_SERVFAIL ? c->attempts * c->n : 1;

	for (size_t i = 0; i < times; i++) {
		const struct addr *server = &c->server[(l->first + i) % c->n];

		libc_send(l, name, false, server);
		if (!c->no_aaaa && !(c->single_request && answer == LIBC_SERVFAIL))
			libc_send(l, name, true, server);
	}
	if (c->rotate)
		l->first++;
	return answer;
}

enum step { NEXT, DONE, STOP };

/* Tries a candidate. One that fits no query ends the search list, but not the lookup. */
static enum step try(struct libc_asking *l, const char *name)
{
	if (!libc_is_name(name))
		return STOP;
	if (ask_as_glibc(l, name) != LIBC_FOUND)
		return NEXT;
	l->out->end = LIBC_END_FOUND;
	return DONE;
}

/* Search "." tries the name itself; a dot at the front of a search is skipped. */
static enum step try_with_search(struct libc_asking *l, const char *name, const char *search,
				 bool *root)
{
	search += *search == '.';
	*root |= !*search;
	return try(l, arena_print(l->arena, "%s.%s", name, search));
}

static size_t dots_of(const char *name)
{
	size_t n = 0;

	for (; *name; name++)
		n += *name == '.';
	return n;
}

void glibc_look_up(struct libc_asking *l, const char *name)
{
	const struct libc_conf *c = l->conf;
	const struct resolv_list *searches = &c->searches;
	size_t dots = dots_of(name), i = 0;
	bool absolute = *name && name[strlen(name) - 1] == '.';
	bool first = dots >= c->ndots || absolute, root = false;
	enum step step = NEXT;

	if (!is_host_name(name)) {
		l->out->end = LIBC_END_NO_NAME;
		return;
	}
	if (first && (try(l, name) == DONE || absolute))
		return;
	while (i < searches->n && step == NEXT)
		step = try_with_search(l, name, searches->at[i++].text, &root);
	if (step != DONE && !first && !root && (dots || !i || !c->no_tld_query))
		(void)try(l, name);
}
