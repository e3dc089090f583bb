/* SPDX-License-Identifier: Apache-2.0 */
/* text.c: builds text, and tells what may be printed. */
#include "text.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static bool make_room(struct text *t, size_t more)
{
	size_t need = t->len + more + 1;
	size_t room = t->room ? t->room : 256;
	char *grown;

	if (t->failed || more > t->max - t->len) {
		t->failed = true;
		return false;
	}
	if (need <= t->room)
		return true;
	while (room < need)
		room *= 2;
	grown = realloc(t->at, room);
	if (!grown) {
		t->failed = true;
		return false;
	}
	t->at = grown;
	t->room = room;
	return true;
}

void text_put(struct text *t, const char *s, size_t len)
{
	if (!make_room(t, len))
		return;
	memcpy(t->at + t->len, s, len);
	t->len += len;
	t->at[t->len] = '\0';
}

void text_cut(struct text *t, size_t len)
{
	if (t->at && len <= t->len)
		t->at[t->len = len] = '\0';
}

void text_print(struct text *t, const char *fmt, ...)
{
	size_t room = t->room - t->len;
	va_list args;
	int len;

	va_start(args, fmt);
	len = vsnprintf(room ? t->at + t->len : NULL, room, fmt, args);
	va_end(args);
	if (len < 0 || !make_room(t, (size_t)len)) {
		text_cut(t, t->len);
		t->failed = true;
		return;
	}
	if ((size_t)len >= room) {
		va_start(args, fmt);
		(void)vsnprintf(t->at + t->len, (size_t)len + 1, fmt, args);
		va_end(args);
	}
	t->len += (size_t)len;
}

bool text_ok(const struct text *t)
{
	return !t->failed;
}

void text_done(struct text *t)
{
	free(t->at);
	*t = (struct text){ .max = t->max };
}

void text_unfit_nuls(char *s, size_t len)
{
	for (size_t i = 0; i < len; i++)
		if (!s[i])
			s[i] = '\1';
}

int32_t utf8_next(const char *s, size_t len, size_t *used)
{
	static const int32_t least[] = { 0, 0, 0x80, 0x800, 0x10000 };
	const unsigned char *u = (const unsigned char *)s;
	size_t size = u[0] < 0x80 ? 1 : u[0] < 0xc0 ? 0 : u[0] < 0xe0 ? 2 : u[0] < 0xf0 ? 3 : 4;
	int32_t c;

	*used = 1;
	if (size == 1)
		return u[0];
	if (!size || size > len || u[0] > 0xf4)
		return -1;
	c = u[0] & (0x7f >> size);
	for (size_t i = 1; i < size; i++) {
		if ((u[i] & 0xc0) != 0x80)
			return -1;
		c = c << 6 | (u[i] & 0x3f);
	}
	if (c < least[size] || c > 0x10ffff || (c >= 0xd800 && c <= 0xdfff))
		return -1;
	*used = size;
	return c;
}

bool utf8_is_space(int32_t c)
{
	return (c >= 0x09 && c <= 0x0d) || c == ' ' || c == 0x85 || c == 0xa0 || c == 0x1680 ||
	       (c >= 0x2000 && c <= 0x200a) || c == 0x2028 || c == 0x2029 || c == 0x202f ||
	       c == 0x205f || c == 0x3000;
}

static bool is_invalid(int32_t c)
{
	return c < 0;
}

static bool is_control(int32_t c)
{
	return c < 0x20 || (c >= 0x7f && c < 0xa0);
}

static bool holds(const char *s, bool (*unwanted)(int32_t c))
{
	size_t len = strlen(s), used;

	for (size_t i = 0; i < len; i += used)
		if (unwanted(utf8_next(s + i, len - i, &used)))
			return true;
	return false;
}

bool text_ends_with(const char *s, const char *end)
{
	size_t len = strlen(s), n = strlen(end);

	return len >= n && strcmp(s + len - n, end) == 0;
}

bool text_is_utf8(const char *s)
{
	return !holds(s, is_invalid);
}

bool text_is_word(const char *s)
{
	return *s && !holds(s, is_control) && !holds(s, utf8_is_space);
}

bool text_is_line(const char *s)
{
	return !holds(s, is_control);
}

/*
 * Format characters, line and paragraph separators: categories Cf, Zl and Zp of Unicode 15.1. Among
 * them are bidirectional overrides, which can make a line of a log look like another.
 */
static bool is_format(int32_t c)
{
	static const struct {
		int32_t first, last;
	} ranges[] = {
		{ 0xad, 0xad },	      { 0x600, 0x605 },	    { 0x61c, 0x61c },
		{ 0x6dd, 0x6dd },     { 0x70f, 0x70f },	    { 0x890, 0x891 },
		{ 0x8e2, 0x8e2 },     { 0x180e, 0x180e },   { 0x200b, 0x200f },
		{ 0x2028, 0x202e },   { 0x2060, 0x2064 },   { 0x2066, 0x206f },
		{ 0xfeff, 0xfeff },   { 0xfff9, 0xfffb },   { 0x110bd, 0x110bd },
		{ 0x110cd, 0x110cd }, { 0x13430, 0x1343f }, { 0x1bca0, 0x1bca3 },
		{ 0x1d173, 0x1d17a }, { 0xe0001, 0xe0001 }, { 0xe0020, 0xe007f },
	};

	for (size_t i = 0; i < LEN(ranges) && ranges[i].first <= c; i++)
		if (c <= ranges[i].last)
			return true;
	return false;
}

/* How a character is shown: itself, or its number. Returns the length. */
static size_t escape_character(char out[static 12], const char *s, size_t len, int32_t c)
{
	unsigned shown = c < 0 ? (unsigned char)*s : (unsigned)c;

	if (!is_control(c) && !is_format(c)) {
		memcpy(out, s, len);
		return len;
	}
	if (shown > 0xffff)
		return (size_t)snprintf(out, 12, "\\U%08x", shown);
	return (size_t)snprintf(out, 12, shown > 0xff ? "\\u%04x" : "\\x%02x", shown);
}

void text_escape(char *out, size_t room, const char *s)
{
	size_t len = strlen(s), used, n = 0;

	for (size_t i = 0; i < len; i += used) {
		int32_t c = utf8_next(s + i, len - i, &used);
		char shown[12];
		size_t more = escape_character(shown, s + i, used, c);

		if (n + more >= room)
			break;
		memcpy(out + n, shown, more);
		n += more;
	}
	out[n] = '\0';
}

uint64_t text_hash(const char *s, size_t len)
{
	return text_hash_more(0xcbf29ce484222325, s, len);
}

uint64_t text_hash_more(uint64_t hash, const char *s, size_t len)
{
	for (size_t i = 0; i < len; i++)
		hash = (hash ^ (unsigned char)s[i]) * 0x100000001b3;
	return hash;
}

static size_t length(const char *s)
{
	size_t len = strlen(s);

	while (len && s[len - 1] == '\n')
		len--;
	return len;
}

bool text_same_lines(const char *a, const char *b)
{
	return length(a) == length(b) && memcmp(a, b, length(a)) == 0;
}
