/* SPDX-License-Identifier: Apache-2.0 */
/* resolv.c: a resolver configuration, and its text (resolv.conf(5)). */
#include "resolv.h"
#include "arena.h"
#include "text.h"

#include <string.h>

/* Gives the list an unshared array with room for `n` entries; NULL: memory has ended. */
static struct resolv_entry *own_entries(struct resolv_list *list, size_t n, struct arena *a)
{
	struct resolv_entry *at = arena_alloc(a, n * sizeof(*at));

	if (!at)
		return NULL;
	if (list->n)
		memcpy(at, list->at, list->n * sizeof(*at));
	list->at = at;
	return at;
}

void resolv_add(struct resolv_list *list, struct resolv_entry entry, struct arena *a)
{
	struct resolv_entry *at;

	if (list->n == RESOLV_MAX) {
		list->lost++;
		return;
	}
	at = own_entries(list, list->n + 1, a);
	if (at)
		at[list->n++] = entry;
}

void resolv_replace(struct resolv_list *list, size_t i, struct resolv_entry entry, struct arena *a)
{
	struct resolv_entry *at = own_entries(list, list->n, a);

	if (at)
		at[i] = entry;
}

void resolv_remove(struct resolv_list *list, size_t i, struct arena *a)
{
	struct resolv_entry *at = own_entries(list, list->n, a);

	if (at)
		memmove(at + i, at + i + 1, (list->n - i - 1) * sizeof(*at));
	list->n = at ? list->n - 1 : i;
}

const struct resolv_entry *resolv_find(const struct resolv_list *list, const char *text)
{
	for (size_t i = 0; i < list->n; i++)
		if (strcmp(list->at[i].text, text) == 0)
			return &list->at[i];
	return NULL;
}

const struct resolv_entry *resolv_find_key(const struct resolv_list *list, const char *key,
					   size_t len)
{
	for (size_t i = 0; i < list->n; i++)
		if (list->at[i].key == len && memcmp(list->at[i].text, key, len) == 0)
			return &list->at[i];
	return NULL;
}

struct resolv_entry resolv_word(const char *text, int from)
{
	return (struct resolv_entry){ text, (uint32_t)strlen(text), from, NULL };
}

struct resolv_entry resolv_option(const char *token, int from)
{
	return (struct resolv_entry){ token, (uint32_t)strcspn(token, ":"), from, NULL };
}

const char *resolv_option_value(const struct resolv_entry *option)
{
	return option->text[option->key] == ':' ? option->text + option->key + 1 : NULL;
}

bool resolv_is_empty(const struct resolv *r)
{
	return !r->nameservers.n && !r->searches.n && !r->options.n;
}

/*** words of a line ***/

struct cursor {
	char *at, *end;
};

/* The next word, terminated in place; NULL at the end of the line. */
static char *next_word(struct cursor *c)
{
	char *word = NULL;
	size_t used;

	for (; c->at < c->end; c->at += used) {
		int32_t rune = utf8_next(c->at, (size_t)(c->end - c->at), &used);

		if (!utf8_is_space(rune)) {
			if (!word)
				word = c->at;
		} else if (word) {
			*c->at = '\0';
			c->at += used;
			return word;
		}
	}
	*c->end = '\0';
	return word;
}

/* A text that is being read. */
struct reading {
	struct resolv *r;
	enum resolv_dialect dialect;
	int from;
	struct cursor search; /* the last such line, behind its keyword; `at` is NULL: none */
	struct arena *arena;
};

static void read_search(const struct reading *in)
{
	struct cursor line = in->search;
	char *word;

	while ((word = next_word(&line))) {
		size_t len = strlen(word);

		if (in->dialect == RESOLV_NODE && word[len - 1] == '.') {
			if (len == 1)
				continue;
			word[len - 1] = '\0';
		}
		resolv_add(&in->r->searches, resolv_word(word, in->from), in->arena);
	}
}

static void add_option(const struct reading *in, const char *word)
{
	struct resolv_list *options = &in->r->options;
	struct resolv_entry option = resolv_option(word, in->from);
	const struct resolv_entry *earlier = NULL;

	if (in->dialect == RESOLV_NODE)
		earlier = resolv_find_key(options, option.text, option.key);
	if (earlier)
		*(struct resolv_entry *)earlier = option; /* the array is not shared yet */
	else
		resolv_add(options, option, in->arena);
}

/* False: the line is a nameserver without a value. */
static bool parse_line(struct reading *in, struct cursor *line)
{
	char *keyword = next_word(line), *word;

	if (!keyword || *keyword == '#')
		return true;
	if (strcmp(keyword, "search") == 0) {
		in->search = *line;
	} else if (strcmp(keyword, "options") == 0) {
		while ((word = next_word(line)))
			add_option(in, word);
	} else if (strcmp(keyword, "nameserver") == 0) {
		word = next_word(line);
		if (!word)
			return false;
		resolv_add(&in->r->nameservers, resolv_word(word, in->from), in->arena);
	}
	return true;
}

size_t resolv_parse(struct resolv *r, char *text, size_t len, enum resolv_dialect dialect, int from,
		    struct arena *a)
{
	struct reading in = { .r = r, .dialect = dialect, .from = from, .arena = a };
	size_t number = 1, faulty = 0;
	char *end = text + len;

	*r = (struct resolv){ 0 };
	text_unfit_nuls(text, len); /* one would end a word early */
	for (char *at = text; at < end; number++) {
		char *lf = memchr(at, '\n', (size_t)(end - at));
		struct cursor line = { at, lf ? lf : end };

		if (!parse_line(&in, &line) && !faulty)
			faulty = number;
		at = lf ? lf + 1 : end;
	}
	if (in.search.at)
		read_search(&in);
	return faulty;
}

static void render_line(struct text *out, const char *keyword, const struct resolv_list *list)
{
	if (!list->n)
		return;
	text_print(out, "%s", keyword);
	for (size_t i = 0; i < list->n; i++)
		text_print(out, " %s", list->at[i].text);
	text_put(out, "\n", 1);
}

void resolv_render(struct text *out, const struct resolv *r)
{
	render_line(out, "search", &r->searches);
	for (size_t i = 0; i < r->nameservers.n; i++)
		text_print(out, "nameserver %s\n", r->nameservers.at[i].text);
	render_line(out, "options", &r->options);
}

const char *resolv_text(const struct resolv *r, size_t max, struct arena *a)
{
	auto_text text = TEXT_UP_TO(max);

	text_put(&text, "", 0); /* "", not NULL, where all lists are empty */
	resolv_render(&text, r);
	return text_ok(&text) ? arena_print(a, "%s", text.at) : NULL;
}
