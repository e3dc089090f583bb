/* SPDX-License-Identifier: Apache-2.0 */
/* queries_show.c: prints a predicted lookup for people. */
#include "pod-dnsctl/cli/columns.h"
#include "pod-dnsctl/cli/out.h"
#include "pod-dnsctl/lookup/queries.h"

#include <stdio.h>
#include <string.h>

enum { ROWS = 600, LIBCS = 2, COLUMN = 9 };

/* A candidate, and the numbers of its queries by libc. */
struct row {
	const char *name;
	size_t first[LIBCS], last[LIBCS]; /* counted from 1; 0: not asked */
};

static struct row rows[ROWS];
static size_t n_rows;

static struct libc_conf conf[LIBCS];
static struct libc_lookup lookup[LIBCS];

/* The first row of the name that this libc has not asked for yet: a search may occur twice. */
static struct row *row_of(const char *name, size_t column)
{
	for (size_t i = 0; i < n_rows; i++)
		if (!rows[i].first[column] && strcmp(rows[i].name, name) == 0)
			return &rows[i];
	if (n_rows == ROWS)
		return NULL;
	rows[n_rows] = (struct row){ .name = name };
	return &rows[n_rows++];
}

static void fill_column(size_t column)
{
	const struct libc_lookup *l = &lookup[column];
	struct row *row;

	for (size_t i = 0; i < l->n; i++) {
		size_t from = i;

		while (i + 1 < l->n && strcmp(l->at[i + 1].name, l->at[from].name) == 0)
			i++;
		row = row_of(l->at[from].name, column);
		if (!row)
			return;
		row->first[column] = from + 1;
		row->last[column] = i + 1;
	}
}

/*** printing ***/

static void put_numbers(struct out *out, size_t first, size_t last)
{
	char range[48] = "-";

	if (first)
		(void)snprintf(range, sizeof(range), first == last ? "%zu" : "%zu-%zu", first,
			       last);
	out_put(out, OUT_PLAIN, "%*s", COLUMN, range);
}

static void show_row(const struct queries *q, const struct row *row, size_t libcs, struct out *out)
{
	static const struct {
		enum out_style style;
		const char *word;
	} says[] = { [LIBC_NXDOMAIN] = { OUT_PLAIN, "" },
		     [LIBC_FOUND] = { OUT_GREEN, "  found" },
		     [LIBC_NODATA] = { OUT_YELLOW, "  no address" },
		     [LIBC_SERVFAIL] = { OUT_RED, "  fails" } };
	enum libc_answer answer = queries_answer(q, row->name);

	for (size_t i = 0; i < libcs; i++)
		put_numbers(out, row->first[i], row->last[i]);
	out_put(out, OUT_PLAIN, "  ");
	out_put(out, says[answer].style, "%s%s", row->name, says[answer].word);
	out_end(out);
}

static void show_names(enum libc first, size_t libcs, const char *behind, struct out *out)
{
	for (size_t i = 0; i < libcs; i++)
		out_put(out, OUT_BOLD, "%*s", COLUMN, libc_names[first + i]);
	out_put(out, OUT_BOLD, "  %s", behind);
	out_end(out);
}

static const char *end_of(const struct libc_conf *c, const struct libc_lookup *l)
{
	switch (l->end) {
	case LIBC_END_FOUND:
		return NULL;
	case LIBC_END_NODATA:
		return "a name without addresses ends the search: nothing is found";
	case LIBC_END_SERVFAIL:
		return "a failure ends the search, after some repetitions";
	case LIBC_END_ADDRESS:
		return "the name is an address: nothing is asked";
	case LIBC_END_NO_NAME:
		return "this is no host name to it: nothing is asked";
	case LIBC_END_FAULT:
		return c->fault;
	case LIBC_END_NOWHERE:
	default:
		return "all of it is asked, and nothing is found";
	}
}

static void show_servers(const struct libc_conf *c, struct out *out)
{
	struct columns line = { .out = out, .indent = 2 };
	size_t n = c->libc == LIBC_MUSL || c->rotate ? c->n : 1;

	columns_put(&line, OUT_PLAIN, 0, libc_names[c->libc]);
	columns_put(&line, OUT_PLAIN, 0, "asks");
	for (size_t i = 0; i < n; i++) {
		char address[ADDR_TEXT];

		addr_print(address, &c->server[i]);
		columns_put(&line, OUT_PLAIN, 0, address);
	}
	if (c->n > 1)
		columns_put(&line, OUT_PLAIN, 0,
			    c->libc == LIBC_MUSL ? "(each query goes to all at once)"
			    : c->rotate		 ? "(in turn, from any)"
						 : "(others where it is silent)");
	columns_end(&line);
}

static void show_ends(size_t libcs, struct out *out)
{
	for (size_t i = 0; i < libcs; i++) {
		const char *end = end_of(&conf[i], &lookup[i]);

		show_servers(&conf[i], out);
		if (end) {
			out_put(out, conf[i].fault ? OUT_RED : OUT_YELLOW, "%s: %s",
				libc_names[conf[i].libc], end);
			out_end(out);
		}
	}
}

/*** totals ***/

static void show_total(const struct queries *q, const char *what, enum libc first, size_t libcs,
		       struct out *out)
{
	static struct libc_lookup l;
	static struct libc_conf c;

	for (size_t i = 0; i < libcs; i++) {
		queries_look_up(&l, &c, q, (enum libc)(first + i));
		out_put(out, OUT_PLAIN, "%*zu", COLUMN, l.n);
	}
	out_line(out, "  %s", what);
}

void queries_show(const struct queries *q, enum libc first, size_t libcs, struct out *out)
{
	struct queries ndots = queries_with_ndots(q), autopath;

	n_rows = 0;
	for (size_t i = 0; i < libcs; i++) {
		queries_look_up(&lookup[i], &conf[i], q, (enum libc)(first + i));
		fill_column(i);
	}
	out_line(out, "%s, looked up with %s", q->name, q->source);
	show_ends(libcs, out);
	out_end(out);
	if (n_rows)
		show_names(first, libcs, "the queries for", out);
	for (size_t i = 0; i < n_rows; i++)
		show_row(q, &rows[i], libcs, out);
	out_end(out);
	show_names(first, libcs, "queries in all", out);
	show_total(q, "as it is", first, libcs, out);
	show_total(&ndots, "with ndots:2", first, libcs, out);
	if (queries_with_autopath(&autopath, q))
		show_total(&autopath, "with autopath", first, libcs, out);
}
