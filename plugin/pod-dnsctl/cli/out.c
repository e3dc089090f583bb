/* SPDX-License-Identifier: Apache-2.0 */
/* out.c: output for people. */
#include "pod-dnsctl/cli/out.h"
#include "text.h"

#include <errno.h>
#include <stdarg.h>
#include <string.h>

static const char *const codes[] = {
	[OUT_PLAIN] = "",	  [OUT_BOLD] = "\033[1m",    [OUT_DIM] = "\033[2m",
	[OUT_GREEN] = "\033[32m", [OUT_YELLOW] = "\033[33m", [OUT_RED] = "\033[31m",
};

static bool is_set(const char *variable)
{
	const char *value = getenv(variable);

	return value && *value;
}

void out_open(struct out *o, FILE *to)
{
	const char *terminal = getenv("TERM");
	int fd = fileno(to);

	*o = (struct out){ .to = to, .tty = fd >= 0 && isatty(fd) };
	o->colour = o->tty && !is_set("NO_COLOR") && !(terminal && strcmp(terminal, "dumb") == 0);
}

/* Keeps the errno of the first failure. */
static void latch_failure(struct out *o)
{
	if (!o->failed)
		o->failed = errno ? errno : EIO;
}

static void write_bytes(struct out *o, const char *bytes, size_t len)
{
	if (fwrite(bytes, 1, len, o->to) != len)
		latch_failure(o);
}

/* The text without what must not reach a terminal; the caller's. NULL: out of memory. */
static char *escaped(const char *s)
{
	size_t room = 4 * strlen(s) + 1;
	char *shown = malloc(room);

	if (shown)
		text_escape(shown, room, s);
	return shown;
}

static void write_escaped(struct out *o, const char *s)
{
	auto_mem char *shown = escaped(s);

	if (!shown) {
		latch_failure(o);
		return;
	}
	write_bytes(o, shown, strlen(shown));
}

PRINTF(3, 0)
static void put(struct out *o, enum out_style style, const char *fmt, va_list args)
{
	const char *code = o->colour ? codes[style] : "";
	auto_mem char *said = NULL;

	if (vasprintf(&said, fmt, args) < 0) {
		said = NULL;
		latch_failure(o);
		return;
	}
	write_bytes(o, code, strlen(code));
	write_escaped(o, said);
	if (*code)
		write_bytes(o, "\033[0m", 4);
}

void out_put(struct out *o, enum out_style style, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	put(o, style, fmt, args);
	va_end(args);
}

void out_end(struct out *o)
{
	write_bytes(o, "\n", 1);
}

void out_line(struct out *o, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	put(o, OUT_PLAIN, fmt, args);
	va_end(args);
	out_end(o);
}

void out_text(struct out *o, const char *text)
{
	while (*text) {
		size_t len = strcspn(text, "\n");

		out_put(o, OUT_PLAIN, "%.*s", (int)len, text);
		text += len;
		if (*text == '\n') {
			out_end(o);
			text++;
		}
	}
}

json_t *out_string(const char *text)
{
	auto_mem char *shown = text_is_utf8(text) ? NULL : escaped(text);

	return json_string(shown ? shown : text);
}

/* jansson escapes control characters but DEL, which can only be in a string. */
void out_json(struct out *o, const json_t *value)
{
	auto_mem char *text =
		json_dumps(value, JSON_INDENT(2) | JSON_ENSURE_ASCII | JSON_ENCODE_ANY);
	const char *at = text;

	if (!text) {
		latch_failure(o);
		return;
	}
	while (*at) {
		size_t len = strcspn(at, "\177");

		write_bytes(o, at, len);
		at += len;
		if (*at) {
			write_bytes(o, "\\u007f", 6);
			at++;
		}
	}
	out_end(o);
}

bool out_ok(struct out *o)
{
	if (fflush(o->to) != 0)
		latch_failure(o);
	return !o->failed;
}
