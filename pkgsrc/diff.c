/* SPDX-License-Identifier: Apache-2.0 */
/* diff.c: the longest common subsequence of lines, printed as hunks. */
#include "diff.h"

#include <string.h>

enum { CONTEXT = 3, PAIRS_MAX = 16 << 20 };

struct lines {
	const char **at; /* where each line begins */
	size_t n;
};

/* One line of the result. */
struct edit {
	char kind; /* ' ', '-', '+' */
	size_t old, new;
};

struct edits {
	struct edit *at;
	size_t n;
};

static size_t line_length(const char *line)
{
	const char *end = strchr(line, '\n');

	return end ? (size_t)(end - line) + 1 : strlen(line);
}

static bool lines_split(struct lines *l, const char *text)
{
	size_t n = 0;

	for (const char *p = text; *p; p += line_length(p))
		n++;
	*l = (struct lines){ .at = calloc(n + 1, sizeof *l->at), .n = n };
	if (!l->at)
		return false;
	for (size_t i = 0; i < n; i++, text += line_length(text))
		l->at[i] = text;
	return true;
}

static bool lines_same(const struct lines *a, size_t i, const struct lines *b, size_t j)
{
	size_t len = line_length(a->at[i]);

	return len == line_length(b->at[j]) && memcmp(a->at[i], b->at[j], len) == 0;
}

/* The lengths of the common subsequences behind (i, j), in rows of b->n + 1. NULL: no memory. */
static unsigned *common_lengths(const struct lines *a, const struct lines *b, size_t from,
				size_t a_end, size_t b_end)
{
	size_t rows = a_end - from + 1, columns = b_end - from + 1;
	unsigned *length =
		rows <= PAIRS_MAX / columns ? calloc(rows * columns, sizeof *length) : NULL;

	for (size_t i = rows - 1; length && i-- > 0;)
		for (size_t j = columns - 1; j-- > 0;) {
			unsigned *here = &length[i * columns + j];
			unsigned down = here[columns], right = here[1];

			if (lines_same(a, from + i, b, from + j))
				*here = here[columns + 1] + 1;
			else
				*here = down > right ? down : right;
		}
	return length;
}

static void edits_add(struct edits *e, char kind, size_t old, size_t new)
{
	e->at[e->n++] = (struct edit){ kind, old, new };
}

static bool edits_of(struct edits *e, const struct lines *a, const struct lines *b)
{
	size_t from = 0, a_end = a->n, b_end = b->n, i, j, columns;
	unsigned *length;

	while (from < a->n && from < b->n && lines_same(a, from, b, from))
		from++;
	while (a_end > from && b_end > from && lines_same(a, a_end - 1, b, b_end - 1))
		a_end--, b_end--;
	length = common_lengths(a, b, from, a_end, b_end);
	*e = (struct edits){ .at = calloc(a->n + b->n + 1, sizeof *e->at) };
	columns = b_end - from + 1;
	for (i = 0; length && e->at && i < from; i++)
		edits_add(e, ' ', i, i);
	for (i = j = from; length && e->at && (i < a_end || j < b_end);) {
		const unsigned *here = &length[(i - from) * columns + (j - from)];

		if (i < a_end && j < b_end && lines_same(a, i, b, j)) {
			edits_add(e, ' ', i, j);
			i++, j++;
		} else if (i < a_end && (j == b_end || here[columns] >= here[1])) {
			edits_add(e, '-', i++, j);
		} else {
			edits_add(e, '+', i, j++);
		}
	}
	for (; length && e->at && i < a->n; i++, j++)
		edits_add(e, ' ', i, j);
	free(length);
	return length && e->at;
}

/* The end of the hunk that begins at `from`: where more than twice the context is unchanged. */
static size_t hunk_end(const struct edits *e, size_t from)
{
	size_t last = from, i;

	for (i = from; i < e->n && i - last <= 2 * (size_t)CONTEXT + 1; i++)
		if (e->at[i].kind != ' ')
			last = i;
	return last + CONTEXT + 1 < e->n ? last + CONTEXT + 1 : e->n;
}

static void put_range(struct text *out, char sign, size_t first, size_t n)
{
	if (n == 1)
		text_print(out, "%c%zu", sign, first + 1);
	else
		text_print(out, "%c%zu,%zu", sign, n ? first + 1 : first, n);
}

static void put_hunk(struct text *out, const struct edits *e, size_t from, size_t end,
		     const struct lines *a, const struct lines *b)
{
	size_t n_old = 0, n_new = 0;

	for (size_t i = from; i < end; i++) {
		n_old += e->at[i].kind != '+';
		n_new += e->at[i].kind != '-';
	}
	text_print(out, "@@ ");
	put_range(out, '-', e->at[from].old, n_old);
	text_print(out, " ");
	put_range(out, '+', e->at[from].new, n_new);
	text_print(out, " @@\n");
	for (size_t i = from; i < end; i++) {
		const struct edit *edit = &e->at[i];
		const char *line = edit->kind == '+' ? b->at[edit->new] : a->at[edit->old];
		size_t len = line_length(line);

		text_put(out, &edit->kind, 1);
		text_put(out, line, len);
		if (line[len - 1] != '\n')
			text_print(out, "\n\\ No newline at end of file\n");
	}
}

static void put_hunks(struct text *out, const struct edits *e, const struct lines *a,
		      const struct lines *b)
{
	for (size_t i = 0; i < e->n;) {
		size_t end, from;

		if (e->at[i].kind == ' ') {
			i++;
			continue;
		}
		from = i > CONTEXT ? i - CONTEXT : 0;
		end = hunk_end(e, i);
		put_hunk(out, e, from, end, a, b);
		i = end;
	}
}

void diff_unified(struct text *out, const char *old_name, const char *old, const char *new_name,
		  const char *new)
{
	struct lines a = { 0 }, b = { 0 };
	struct edits e = { 0 };

	text_put(out, "", 0);
	if (strcmp(old, new) == 0)
		return;
	if (lines_split(&a, old) && lines_split(&b, new) && edits_of(&e, &a, &b)) {
		text_print(out, "--- %s\n+++ %s\n", old_name, new_name);
		put_hunks(out, &e, &a, &b);
	} else {
		out->failed = true;
	}
	free(e.at);
	free(a.at);
	free(b.at);
}
