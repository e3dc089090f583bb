/* SPDX-License-Identifier: Apache-2.0 */
/* cases.c: random pairs of a name and a resolv.conf, odd ones too. */
#include "cases.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#define LEN(array) (sizeof(array) / sizeof((array)[0]))
#define FILLER	   "abcdefghijabcdefghijabcdefghijabcdefghijabcdefghijabcdefghij"
#define L63	   FILLER "123"

/* splitmix64: the same pairs for a seed, wherever it runs. */
static unsigned below(struct pair *p, unsigned n)
{
	uint64_t z = p->state += 0x9e3779b97f4a7c15;

	z = (z ^ z >> 30U) * 0xbf58476d1ce4e5b9;
	z = (z ^ z >> 27U) * 0x94d049bb133111eb;
	return (unsigned)((z ^ z >> 31U) % n);
}

static bool one_in(struct pair *p, unsigned n)
{
	return below(p, n) == 0;
}

static void put(struct pair *p, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
static void put(struct pair *p, const char *fmt, ...)
{
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vsnprintf(p->text + p->len, CASE_TEXT - p->len, fmt, ap);
	va_end(ap);
	if (n > 0 && (size_t)n < CASE_TEXT - p->len)
		p->len += (size_t)n;
	p->text[p->len] = '\0';
}

/*** names ***/

/* Behind what is there, as far as there is room. */
static void add(char out[static CASE_NAME], const char *word)
{
	size_t len = strlen(out);

	(void)snprintf(out + len, CASE_NAME - len, "%s", word);
}

static void make_labels(struct pair *p, char *out, unsigned n)
{
	static const char *const labels[] = { "a",   "www",   "api",	 "x-y",	    "_srv",
					      "WwW", "local", "cluster", "svc",	    "shop",
					      "9",   "b",     "com",	 "example", "internal" };

	*out = '\0';
	for (unsigned i = 0; i < n; i++) {
		if (i)
			add(out, ".");
		add(out, one_in(p, 60) ? L63 : labels[below(p, LEN(labels))]);
	}
}

static void make_domain(struct pair *p, char *out)
{
	static const char *const odd[] = { ".",
					   "..",
					   ".b",
					   L63 "x",
					   "a..b",
					   L63 "." L63 "." L63 ".c",
					   L63
					   "." L63 "." L63
					   ".abcdefghijabcdefghijabcdefghijabcdefghijabcdefghij" };

	*out = '\0';
	if (one_in(p, 25)) {
		add(out, odd[below(p, LEN(odd))]);
		p->odd = true;
		return;
	}
	make_labels(p, out, 1 + below(p, 4));
	if (one_in(p, 10))
		add(out, ".");
}

static void make_name(struct pair *p)
{
	static const char *const odd[] = { "10",
					   "10.0.0.256",
					   "0x7f.1",
					   "::1",
					   "a/b",
					   "-a",
					   "a-",
					   "a b",
					   ".",
					   ".a",
					   "a..b",
					   "a..",
					   "a.b.",
					   "localdomain",
					   "*.a",
					   L63 "." L63 "." L63 "." L63,
					   L63
					   "." L63 "." L63
					   ".abcdefghijabcdefghijabcdefghijabcdefghijabcdefghij" };

	if (one_in(p, 10)) {
		add(p->name, odd[below(p, LEN(odd))]);
		return;
	}
	make_labels(p, p->name, 1 + below(p, one_in(p, 10) ? 18 : 5));
	if (one_in(p, 10))
		add(p->name, ".");
}

/*** resolv.conf ***/

static const char *blank(struct pair *p)
{
	static const char *const blanks[] = { " ", " ", " ", " ", "  ", "\t", " \t " };

	return blanks[below(p, LEN(blanks))];
}

static void end_line(struct pair *p)
{
	put(p, "%s%s", one_in(p, 20) ? " " : "", one_in(p, 40) ? "\r\n" : "\n");
}

/* Now and then exactly about as long as musl reads: 254 bytes and a newline. */
static void fill_line(struct pair *p, size_t begin)
{
	size_t want = 250 + below(p, 9), len = p->len - begin;

	if (len + 2 < want)
		put(p, " %s", FILLER "." FILLER "." FILLER "." FILLER);
	if (p->len - begin > want)
		p->text[p->len = begin + want] = '\0';
}

static void put_search(struct pair *p)
{
	size_t begin = p->len;
	unsigned n = one_in(p, 15) ? 0 : 1 + below(p, one_in(p, 4) ? 12 : 5);

	put(p, "%s", one_in(p, 12) ? "domain" : "search");
	p->domains = 0;
	for (unsigned i = 0; i < n && p->domains < CASE_DOMAINS; i++) {
		char *domain = p->domain[p->domains++];

		make_domain(p, domain);
		put(p, "%s%s", blank(p), domain);
	}
	if (one_in(p, 8))
		fill_line(p, begin);
	end_line(p);
}

static void put_servers(struct pair *p)
{
	static const char *const servers[] = { "10.0.0.1",   "10.0.0.2",	 "10.0.0.3",
					       "10.0.0.4",   "10.0.0.1",	 "fd00::1",
					       "fd00::2",    "010.0.0.1",	 "10.1",
					       "fd00::1%lo", "10.0.0.256",	 "10.0.0.1#x",
					       "fd00::g",    "10.0.0.2 10.0.0.3" };
	unsigned n = one_in(p, 15) ? 0 : 1 + below(p, 4);

	for (unsigned i = 0; i < n; i++) {
		put(p, "%snameserver%s%s", one_in(p, 30) ? " " : "", blank(p),
		    servers[below(p, one_in(p, 3) ? LEN(servers) : 6)]);
		end_line(p);
	}
}

static void put_option(struct pair *p)
{
	static const char *const options[] = {
		"ndots:0",
		"ndots:1",
		"ndots:2",
		"ndots:3",
		"ndots:5",
		"ndots:5",
		"ndots:5",
		"ndots:15",
		"ndots:99",
		"ndots",
		"ndots:",
		"ndots:x",
		"ndots:-2",
		"ndots:2x",
		"ndots: 3",
		"xndots:4",
		"ndots:1:7",
		"timeout:1",
		"timeout:2",
		"attempts:1",
		"attempts:3",
		"edns0",
		"trust-ad",
		"single-request",
		"single-request-reopen",
		"no-aaaa",
		"no-tld-query",
		"no_tld_query",
		"debug",
		"Ndots:3",
	};
	static const char *const rare[] = { "attempts:0", "timeout:0", "attempts:x", "attempts:-1",
					    "timeout:.5" };

	if (one_in(p, 12)) {
		put(p, "%srotate", blank(p));
		p->rotates = true;
	} else if (one_in(p, 60)) {
		put(p, "%s%s", blank(p), rare[below(p, LEN(rare))]);
	} else {
		put(p, "%s%s", blank(p), options[below(p, LEN(options))]);
	}
}

static void put_options(struct pair *p)
{
	unsigned n = below(p, 4);

	put(p, "options");
	for (unsigned i = 0; i < n; i++)
		put_option(p);
	end_line(p);
}

static void put_noise(struct pair *p)
{
	static const char *const noise[] = { "# search x", "; search x",
					     " search x",  "sortlist 10.0.0.0",
					     "Search x",   "searchx y",
					     "",	   "options",
					     "search",	   "nameserver" };

	put(p, "%s\n", noise[below(p, LEN(noise))]);
}

static void make_file(struct pair *p)
{
	static void (*const parts[])(struct pair *) = { put_search, put_options, put_noise,
							put_options };

	if (!one_in(p, 12))
		put_search(p);
	put_servers(p);
	if (!one_in(p, 6))
		put_options(p);
	for (unsigned i = 0; one_in(p, 3) && i < 4; i++)
		parts[below(p, LEN(parts))](p);
	if (one_in(p, 20) && p->len)
		p->text[--p->len] = '\0'; /* no newline at the end */
}

/*** what exists ***/

static void make_known(struct pair *p)
{
	static const enum server_answer answers[] = { SERVER_FOUND, SERVER_FOUND, SERVER_NODATA };
	struct known *k = &p->known[p->n_known];
	const char *domain = p->domain[below(p, (unsigned)p->domains)];
	size_t len = strlen(domain);

	k->answer = answers[below(p, LEN(answers))];
	if (one_in(p, 40)) {
		k->answer = SERVER_SERVFAIL;
		p->fails = true;
	}
	if (len > 1 && domain[len - 1] == '.')
		len--;
	(void)snprintf(k->name, sizeof(k->name), "%s.%.*s", p->name, (int)len, domain);
	for (size_t i = 0; i < p->n_known; i++)
		if (strcasecmp(p->known[i].name, k->name) == 0)
			return; /* one answer a name */
	p->n_known++;
}

void pair_make(struct pair *p, uint64_t seed)
{
	memset(p, 0, sizeof(*p));
	p->state = seed;
	make_file(p);
	make_name(p);
	p->nowhere = one_in(p, 3);
	while (p->domains && p->n_known < CASE_KNOWN && !one_in(p, 2))
		make_known(p);
	for (size_t i = 0; i < p->domains; i++)
		p->odd |= strlen(p->name) + strlen(p->domain[i]) > 250;
	p->odd |= strstr(p->text, FILLER) != NULL;
}

static bool is_same(const char *a, const char *b)
{
	size_t len = strlen(b);

	if (len > 1 && b[len - 1] == '.')
		len--;
	return strlen(a) == len && strncasecmp(a, b, len) == 0;
}

enum server_answer pair_answer(const char *name, void *pair)
{
	const struct pair *p = pair;

	for (size_t i = 0; i < p->n_known; i++)
		if (is_same(name, p->known[i].name))
			return p->known[i].answer;
	return !p->nowhere && is_same(name, p->name) ? SERVER_FOUND : SERVER_NXDOMAIN;
}
