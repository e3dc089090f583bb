/* SPDX-License-Identifier: Apache-2.0 */
/* libc_musl.c: src/network/resolvconf.c and lookup_name.c of musl 1.2.5, as far as queries show it.
 */
#include "pod-dnsctl/lookup/libc_private.h"

#include <ctype.h>
#include <string.h>

#define BLANKS " \t\n\v\f\r"

/*** resolv.conf ***/

/* The text behind the keyword and white space, which may be the line's end; NULL: the line begins
 * otherwise. */
static const char *musl_words(const char *line, const char *keyword)
{
	size_t len = strlen(keyword);

	if (strncmp(line, keyword, len) != 0 || !isspace((unsigned char)line[len]))
		return NULL;
	return line + len + strspn(line + len, BLANKS);
}

/* A zone must be a number or, for a link-local address, an interface, which is assumed to exist. */
static bool is_good_zone(const struct addr *a, const char *zone)
{
	bool of_link = a->byte[0] == 0xfe && (a->byte[1] & 0xc0) == 0x80;

	return !zone || of_link || zone[strspn(zone, "0123456789")] == '\0';
}

static void read_musl_server(struct libc_conf *c, const char *words, struct arena *a)
{
	const char *word = arena_print(a, "%.*s", (int)strcspn(words, BLANKS), words), *zone;
	struct addr address;

	if (libc_is_v4(&address, word) ||
	    (libc_is_v6(&address, word, &zone, a) && is_good_zone(&address, zone)))
		libc_add_server(c, &address);
}

/* The number behind the first `option` on the line, even within a word; false: the line has none.
 */
static bool read_musl_number(unsigned *out, unsigned most, const char *line, const char *option)
{
	const char *found = strstr(line, option);
	unsigned long n;

	if (!found || !isdigit((unsigned char)found[strlen(option)]))
		return false;
	n = strtoul(found + strlen(option), NULL, 10);
	*out = n < most ? (unsigned)n : most;
	return true;
}

static void read_musl_options(struct libc_conf *c, const char *line, unsigned *timeout)
{
	enum { NDOTS = 15, TIMEOUT = 60 };

	(void)read_musl_number(&c->ndots, NDOTS, line, "ndots:");
	(void)read_musl_number(&c->attempts, LIBC_ATTEMPTS, line, "attempts:");
	(void)read_musl_number(timeout, TIMEOUT, line, "timeout:");
}

/* Reads a line with its newline, as fgets() gives it. */
static void read_musl_line(struct libc_conf *c, const char *line, unsigned *timeout,
			   struct arena *a)
{
	const char *words;

	if (musl_words(line, "options"))
		read_musl_options(c, line, timeout);
	else if ((words = musl_words(line, "nameserver")))
		read_musl_server(c, words, a);
	else if ((words = musl_words(line, "domain")) || (words = musl_words(line, "search")))
		libc_set_searches(c, words, BLANKS, a);
}

void musl_read(struct libc_conf *c, const char *text, struct arena *a)
{
	enum { LINE = 256 - 1 - 1 }; /* a buffer of 256 less newline and NUL */
	unsigned timeout = 5;
	size_t len;

	for (; *text; text += len) {
		size_t used = strcspn(text, "\n");

		len = used + (text[used] == '\n');
		if (used <= LINE)
			read_musl_line(c, arena_print(a, "%.*s", (int)len, text), &timeout, a);
	}
	if (!c->attempts)
		c->fault = "with attempts:0 musl divides by zero, at every lookup";
	else if (!timeout)
		c->fault = "with timeout:0 musl gives up before it sends a query";
}

/*** a lookup ***/

/* Asks all servers at once. The first answer counts. */
static enum libc_answer ask_as_musl(struct libc_asking *l, const char *name)
{
	for (int aaaa = 0; aaaa < 2; aaaa++)
		for (size_t i = 0; i < l->conf->n; i++)
			libc_send(l, name, aaaa, &l->conf->server[i]);
	return libc_ask(l, name);
}

/* Whether the lookup is over. A name that fits no query does not exist (before 1.2.4 it ended the
 * lookup). */
static bool is_end(struct libc_asking *l, const char *name)
{
	static const enum libc_end ends[] = { [LIBC_FOUND] = LIBC_END_FOUND,
					      [LIBC_NODATA] = LIBC_END_NODATA,
					      [LIBC_SERVFAIL] = LIBC_END_SERVFAIL };
	enum libc_answer answer = libc_is_name(name) ? ask_as_musl(l, name) : LIBC_NXDOMAIN;

	if (answer == LIBC_NXDOMAIN)
		return false;
	l->out->end = ends[answer];
	return true;
}

static bool search(struct libc_asking *l, const char *name)
{
	const struct resolv_list *searches = &l->conf->searches;

	for (size_t i = 0; i < searches->n; i++)
		if (strlen(name) + 1 + strlen(searches->at[i].text) <= 255 &&
		    is_end(l, arena_print(l->arena, "%s.%s", name, searches->at[i].text)))
			return true;
	return false;
}

void musl_look_up(struct libc_asking *l, const char *name)
{
	enum { NAME = 254 };
	size_t len = strlen(name), dots = 0;
	bool absolute = len && name[len - 1] == '.';

	for (size_t i = 0; i < len; i++)
		dots += name[i] == '.';
	if (!len || len > NAME || (absolute && (len == 1 || name[len - 2] == '.'))) {
		l->out->end = LIBC_END_NO_NAME;
		return;
	}
	if (dots < l->conf->ndots && !absolute && search(l, name))
		return;
	if (!libc_is_name(name))
		l->out->end = LIBC_END_NO_NAME;
	else
		(void)is_end(l, name);
}
