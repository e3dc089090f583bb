/* SPDX-License-Identifier: Apache-2.0 */
/* columns.c: lines that fit a terminal of 80 columns. */
#include "pod-dnsctl/cli/columns.h"

#include <string.h>

enum { COLUMNS = 80 };

static void begin_line(struct columns *c)
{
	out_end(c->out);
	out_put(c->out, OUT_PLAIN, "%*s", (int)c->indent, "");
	c->at = c->indent;
	c->begun = c->padded = false;
	c->padding = 0;
}

void columns_put(struct columns *c, enum out_style style, size_t width, const char *word)
{
	size_t len = strlen(word);
	bool blank = c->begun && !c->padded;

	if (c->begun && !c->whole && c->at + blank + len > COLUMNS) {
		begin_line(c);
		blank = false;
	}
	out_put(c->out, OUT_PLAIN, "%*s", (int)(blank + c->padding), "");
	out_put(c->out, style, "%s", word);
	c->at += blank + (len > width ? len : width);
	c->begun = true;
	c->padded = len < width;
	c->padding = c->padded ? width - len : 0;
}

void columns_name(struct columns *c, enum out_style style, size_t width, const char *name)
{
	char kept[256];

	if (c->cut && strlen(name) >= width && width < sizeof(kept)) {
		(void)snprintf(kept, sizeof(kept), "%.*s..", (int)width - 3, name);
		name = kept;
	}
	columns_put(c, style, width, name);
}

void columns_text(struct columns *c, enum out_style style, const char *text)
{
	char word[4097]; /* PATH_MAX */

	for (text += strspn(text, " "); *text; text += strspn(text, " ")) {
		size_t len = strcspn(text, " ");

		(void)snprintf(word, sizeof(word), "%.*s", (int)len, text);
		columns_put(c, style, 0, word);
		text += len;
	}
}

void columns_end(struct columns *c)
{
	out_end(c->out);
	c->at = c->padding = 0;
	c->begun = c->padded = false;
}

void columns_wrap(struct out *out, enum out_style style, size_t indent, const char *text)
{
	struct columns c = { .out = out, .indent = indent, .at = indent };

	out_put(out, OUT_PLAIN, "%*s", (int)indent, "");
	columns_text(&c, style, text);
	columns_end(&c);
}
