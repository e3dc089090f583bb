/* SPDX-License-Identifier: Apache-2.0 */
/* What a test wants of JSON that the plugin printed; every failure tells both sides. */
#ifndef WANT_H
#define WANT_H

#include <stdbool.h>
#include <jansson.h>
#include "stage.h"

/* The one document that BYTES are; NULL where they are none, or more than one. */
json_t *want_one(const struct blob *);

/* WANT's members are in GOT, an array's elements one by one, all else equal. */
bool want_subset(const json_t *got, const json_t *want);

/* The value at POINTER ("/dns/search"), borrowed, or NULL. */
json_t *want_at(const json_t *, const char *pointer);

/* DOC as text for a message, in one of a few static buffers. */
const char *want_text(const json_t *);

/*
 * The document is an error object as CNI wants it: cniVersion, a code above 0, msg, and details
 * where there are any are strings.
 */
bool want_is_error(const json_t *);

/* msg and details of an error object hold PART between them. */
bool want_says(const json_t *error, const char *part);

/* The stdin, file or table row TEXT, which must be JSON. */
json_t *want_load(const char *text, const char *where);
json_t *want_load_file(const char *path);

/* TEXT, which is freed, with each WORD as BY. */
char *want_replace(char *text, const char *word, const char *by);

#endif
