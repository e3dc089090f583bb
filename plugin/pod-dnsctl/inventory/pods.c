/* SPDX-License-Identifier: Apache-2.0 */
/* pods.c: reads Kubernetes' pod objects, one or a List, an item at a time. */
#include "pod-dnsctl/inventory/pods.h"
#include "json.h"

#include <string.h>

enum { POD_MAX = 16 << 20, ENVELOPE_MAX = 64 << 20 }; /* bytes */

bool pods_open(struct pods *p, const char *path, struct err *e)
{
	bool in = strcmp(path, "-") == 0;

	*p = (struct pods){
		.path = in ? "stdin" : path,
		.from = in ? stdin : fopen(path, "re"),
		.item = TEXT_UP_TO(POD_MAX),
		.envelope = TEXT_UP_TO(ENVELOPE_MAX),
	};
	return p->from || err_errno(e, ERR_IO, "%s", path);
}

void pods_close(struct pods *p)
{
	if (p->from && p->from != stdin)
		(void)fclose(p->from);
	text_done(&p->item);
	text_done(&p->envelope);
	p->from = NULL;
}

/*** the scanner: where an item begins and ends; whether it is JSON is json_read()'s to say ***/

static bool is_items(const struct pods *p)
{
	static const char name[] = "items";

	return p->key_end - p->key == strlen(name) &&
	       memcmp(p->envelope.at + p->key, name, strlen(name)) == 0;
}

static void scan_json_string(struct pods *p, char c)
{
	if (p->escaped)
		p->escaped = false;
	else if (c == '\\')
		p->escaped = true;
	else if (c == '"')
		p->string = false;
	if (!p->string && p->depth == 1)
		p->key_end = p->envelope.len;
}

/* Notes a bracket or a quote. */
static void scan_mark(struct pods *p, char c)
{
	switch (c) {
	case '"':
		p->string = true;
		if (p->depth == 1)
			p->key = p->envelope.len + 1;
		break;
	case '[':
		if (p->depth == 1 && is_items(p))
			p->items = p->list = true;
		p->depth++;
		break;
	case '{':
		p->depth++;
		break;
	case ']':
	case '}':
		p->depth--;
		if (p->depth == 1)
			p->items = false;
		break;
	default:
		break;
	}
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/* Keeps only the first of several blanks: half of what kubectl prints is indentation. */
static void put_item(struct pods *p, char c)
{
	if (p->string || !is_blank(c) || (p->item.len && !is_blank(p->item.at[p->item.len - 1])))
		text_put(&p->item, &c, 1);
}

/* Takes one character. Returns whether an item is complete. */
static bool scan(struct pods *p, char c)
{
	bool within = p->items && p->depth > 2;

	if (p->string)
		scan_json_string(p, c);
	else
		scan_mark(p, c);
	if (!within && !(p->items && p->depth > 2)) {
		text_put(&p->envelope, &c, 1);
		return false;
	}
	put_item(p, c);
	if (p->depth > 2)
		return false;
	text_put(&p->envelope, "0",
		 1); /* takes the item's place, so that the commas can be checked */
	return true;
}

/*** the documents ***/

static json_t *take_item(struct pods *p, struct err *e)
{
	json_t *pod = text_ok(&p->item) ? json_read(p->item.at, p->item.len, false, e) : NULL;

	if (!pod && !text_ok(&p->item))
		(void)err_set(e, ERR_DECODE, "longer than %d bytes", POD_MAX);
	text_done(&p->item);
	if (!pod)
		(void)err_in(e, "%s: items[%zu]: ", p->path, p->n);
	p->n++;
	return pod;
}

/* Each object left a 0 in its place. Nothing else in the list is an object. */
static bool check_items(const struct pods *p, const json_t *document, struct err *e)
{
	const json_t *items = json_object_get(document, "items"), *item;
	size_t i;

	json_array_foreach (items, i, item)
		if (i >= p->n || !json_is_integer(item))
			return err_set(e, ERR_DECODE, "%s: items[%zu]: no object", p->path, i);
	return true;
}

/* A document that is no List; or what surrounds the items of a List, parsed to check it. */
static json_t *take_envelope(struct pods *p, struct err *e)
{
	struct text *t = &p->envelope;
	json_t *document = NULL;

	p->over = true;
	if (ferror(p->from))
		(void)err_errno(e, ERR_IO, "%s", p->path);
	else if (!text_ok(t))
		(void)err_set(e, ERR_DECODE, "%s: longer than %d bytes", p->path, ENVELOPE_MAX);
	else
		document = json_read(t->at ? t->at : "", t->len, false, e);
	if (!document)
		(void)err_in(e, "%s: ", p->path);
	if (!p->list || !document)
		return document;
	(void)check_items(p, document, e);
	json_decref(document);
	return NULL;
}

json_t *pods_next(struct pods *p, struct err *e)
{
	int c;

	if (p->over)
		return NULL;
	while ((c = getc_unlocked(p->from)) != EOF)
		if (scan(p, (char)c))
			return take_item(p, e);
	return take_envelope(p, e);
}
