/* SPDX-License-Identifier: Apache-2.0 */
/*
 * text.h: builds text, and tells what may be printed.
 *
 * A struct text latches: after it would exceed its bound or memory ended, puts do nothing and
 * text_ok() is false. So the caller checks once at the end.
 */
#ifndef PKG_TEXT_H
#define PKG_TEXT_H

#include "base.h"

struct text {
	char *at; /* owned, NUL-terminated; NULL while empty */
	size_t len, room, max;
	bool failed;
};

#define TEXT_UP_TO(bound) ((struct text){ .max = (bound) })

void text_put(struct text *t, const char *s, size_t len);
void text_print(struct text *t, const char *fmt, ...) PRINTF(2, 3);
void text_cut(struct text *t, size_t len); /* to its first `len` bytes */
bool text_ok(const struct text *t);
void text_done(struct text *t);
#define auto_text __attribute__((cleanup(text_done))) struct text

/* Replaces every NUL by another control character, which is as unfit for a file. */
void text_unfit_nuls(char *s, size_t len);

/*
 * The next character of UTF-8 at s (len > 0): its code point, or -1 where it is not valid UTF-8
 * (RFC 3629: overlong forms and surrogates are not). *used becomes its length, at least 1.
 */
int32_t utf8_next(const char *s, size_t len, size_t *used);

/* White space to kubelet (Go's unicode.IsSpace). */
bool utf8_is_space(int32_t c);

/* Whether a resolver file may hold s as one word: valid UTF-8, not empty, no white space, no
 * control character (C0, DEL, C1). */
bool text_is_word(const char *s);

bool text_ends_with(const char *s, const char *end);

bool text_is_utf8(const char *s);

/* Whether s is valid UTF-8 without a control character; it may hold spaces, and be empty. */
bool text_is_line(const char *s);

/* Whether two texts are equal apart from newlines at their ends, which a killed writer leaves. */
bool text_same_lines(const char *a, const char *b);

/*
 * Makes s safe to show in a terminal or a log. Bytes that are not UTF-8, and Unicode's control and
 * format characters and line and paragraph separators, become \xNN, \uNNNN or \UNNNNNNNN. The
 * result is cut at `room`, and always terminated.
 */
void text_escape(char *out, size_t room, const char *s);

/* A 64-bit FNV-1a hash, for names and for detecting changes; not against forgery. */
uint64_t text_hash(const char *s, size_t len);

/* Continues the hash of a text with its next part. */
uint64_t text_hash_more(uint64_t hash, const char *s, size_t len);

#endif
