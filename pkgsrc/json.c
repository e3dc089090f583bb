/* SPDX-License-Identifier: Apache-2.0 */
/* json.c: JSON read by tables, over jansson. */
#include "json.h"
#include "addr.h"
#include "hint.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/random.h>

enum { SHOWN = 80 }; /* bytes of a faulty value in an error */

void json_begin(void)
{
	unsigned seed;

	if (getrandom(&seed, sizeof(seed), GRND_NONBLOCK) == sizeof(seed))
		json_object_seed(seed); /* 0: as if it were not called */
}

json_t *json_read(const char *text, size_t len, bool lenient, struct err *e)
{
	const size_t flags = JSON_ALLOW_NUL | JSON_DECODE_ANY;
	json_error_t fault;
	json_t *document = json_loadb(text, len, flags, &fault);

	if (!document && lenient && json_error_code(&fault) == json_error_numeric_overflow)
		document = json_loadb(text, len, flags | JSON_DECODE_INT_AS_REAL, &fault);
	if (!document)
		(void)err_set(e, ERR_DECODE, "line %d, column %d: %s", fault.line, fault.column,
			      fault.text);
	return document;
}

json_t *json_get(const json_t *object, const char *key)
{
	json_t *value = json_object_get(object, key);

	return json_is_null(value) ? NULL : value;
}

json_t *json_get_nocase(const json_t *object, const char *key)
{
	json_t *found = NULL, *value;
	const char *name;

	json_object_foreach ((json_t *)object, name, value)
		if (strcasecmp(name, key) == 0)
			found = value;
	return json_is_null(found) ? NULL : found;
}

bool json_is_plain_string(const json_t *v)
{
	return json_is_string(v) && strlen(json_string_value(v)) == json_string_length(v);
}

/*** faults ***/

static void show_value(char out[static SHOWN + 4], const json_t *v)
{
	auto_mem char *text = json_dumps(v, JSON_ENCODE_ANY | JSON_COMPACT);
	size_t len = text ? strlen(text) : 0;
	bool cut = len > SHOWN;

	if (cut) { /* back to the start of a UTF-8 character */
		len = SHOWN;
		while (((unsigned char)text[len] & 0xc0) == 0x80)
			len--;
	}
	(void)snprintf(out, SHOWN + 4, "%.*s%s", (int)len, text ? text : "", cut ? "..." : "");
}

bool json_fault(const json_t *v, struct err *e, const char *expected)
{
	char shown[SHOWN + 4];

	show_value(shown, v);
	return err_set(e, ERR_CONFIG, ": expected %s, got %s", expected, shown);
}

bool json_fault_value(const json_t *v, struct err *e, const char *says)
{
	char shown[SHOWN + 4];

	show_value(shown, v);
	return err_set(e, ERR_CONFIG, ": %s %s", shown, says);
}

/*** the walker ***/

static bool is_key(const struct json_row *row, const char *key)
{
	return strcmp(row->key, key) == 0 || (row->alias && strcmp(row->alias, key) == 0);
}

bool json_table_has(const struct json_table *t, const char *key)
{
	for (size_t i = 0; i < t->n; i++)
		if (is_key(&t->row[i], key))
			return true;
	return false;
}

const char *json_key_hint(const struct json_table *t, const char *key)
{
	struct hint hint = HINT(key);

	for (size_t i = 0; i < t->n; i++) {
		hint_try(&hint, t->row[i].key);
		if (t->row[i].alias)
			hint_try(&hint, t->row[i].alias);
	}
	return hint.best;
}

static bool fault_unknown(const struct json_table *t, const char *key, struct err *e)
{
	const char *hint = json_key_hint(t, key);

	if (hint)
		(void)err_set(e, ERR_CONFIG, ".%s: unknown key (did you mean \"%s\"?)", key, hint);
	else
		(void)err_set(e, ERR_CONFIG, ".%s: unknown key%s%s", key, t->help ? "; " : "",
			      t->help ? t->help : "");
	return err_hint(e, hint);
}

static bool check_keys(const json_t *object, const struct json_table *t, struct err *e)
{
	const char *key;
	json_t *value;
	bool good = true;

	json_object_foreach ((json_t *)object, key, value)
		if (!json_is_null(value) && !json_table_has(t, key) &&
		    !err_continue(e, fault_unknown(t, key, e), &good))
			return false;
	return good;
}

static bool decode_row(const json_t *object, const struct json_row *row, void *out, struct err *e)
{
	json_t *value = json_get(object, row->key), *other = json_get(object, row->alias);
	const char *key = other ? row->alias : row->key;
	size_t entered;
	bool good;

	if (value && other)
		return err_set(e, ERR_CONFIG, ".%s: the same key as %s: set only one", row->key,
			       row->alias);
	if (other)
		value = other;
	if (!value)
		return !row->required || err_set(e, ERR_CONFIG, ".%s: missing", key);
	entered = err_enter(e, ".%s", key);
	good = row->read(value, row, (char *)out + row->at, e);
	err_leave(e, entered);
	return good || err_in(e, ".%s", key);
}

bool json_decode_in(const json_t *object, const struct json_table *t, void *out, struct err *e)
{
	bool good = true;

	if (!json_is_object(object)) {
		(void)json_fault(object, e, "an object");
		if (t->help && json_is_string(object))
			err_append(e, "; %s", t->help);
		return false;
	}
	if (!(t->flags & JSON_OPEN) && !err_continue(e, check_keys(object, t, e), &good))
		return false;
	for (size_t i = 0; i < t->n; i++)
		if (!err_continue(e, decode_row(object, &t->row[i], out, e), &good))
			return false;
	return good;
}

static bool known_below(const json_t *object, const struct json_row *row, struct err *e)
{
	const json_t *value = json_object_get(object, row->key);
	size_t entered;
	bool good;

	if (!row->table || !json_is_object(value))
		return true;
	entered = err_enter(e, ".%s", row->key);
	good = json_known_in(value, row->table, e);
	err_leave(e, entered);
	return good || err_in(e, ".%s", row->key);
}

bool json_known_in(const json_t *object, const struct json_table *t, struct err *e)
{
	bool good = true;

	if (!json_is_object(object))
		return json_fault(object, e, "an object");
	if (!err_continue(e, check_keys(object, t, e), &good))
		return false;
	for (size_t i = 0; i < t->n; i++)
		if (!err_continue(e, known_below(object, &t->row[i], e), &good))
			return false;
	return good;
}

bool json_decode(const json_t *object, const struct json_table *t, void *out, struct err *e)
{
	if (json_decode_in(object, t, out, e))
		return true;
	if (e && e->text[0] == '.') /* the path is complete: "a.b", not ".a.b" */
		memmove(e->text, e->text + 1, strlen(e->text));
	return false;
}

/*** readers ***/

bool json_read_text(const json_t *v, const struct json_row *row, void *out, struct err *e)
{
	const char *text = json_string_value(v);

	if (!json_is_plain_string(v))
		return json_fault(v, e, "a string");
	if (row->fits && *text && !row->fits(text))
		return json_fault_value(v, e, row->unfit);
	*(const char **)out = text;
	return true;
}

bool json_read_string(const json_t *v, const struct json_row *row, void *out, struct err *e)
{
	if (json_is_string(v) && !json_string_length(v))
		return err_set(e, ERR_CONFIG, ": must not be empty");
	return json_read_text(v, row, out, e);
}

bool json_read_addr(const json_t *v, const struct json_row *row, void *out, struct err *e)
{
	const char *text = NULL;

	if (!json_read_string(v, row, &text, e))
		return false;
	return addr_parse(out, text) || json_fault_value(v, e, "is not an IP address");
}

bool json_read_bool(const json_t *v, const struct json_row *row UNUSED, void *out, struct err *e)
{
	if (!json_is_boolean(v))
		return json_fault(v, e, "true or false");
	*(bool *)out = json_is_true(v);
	return true;
}

bool json_read_tri(const json_t *v, const struct json_row *row UNUSED, void *out, struct err *e)
{
	if (!json_is_boolean(v))
		return json_fault(v, e, "true or false");
	*(enum tri *)out = json_is_true(v) ? TRI_YES : TRI_NO;
	return true;
}

bool json_read_uint(const json_t *v, const struct json_row *row, void *out, struct err *e)
{
	char expected[64];

	if (!json_is_integer(v) || json_integer_value(v) < row->min ||
	    json_integer_value(v) > row->max) {
		(void)snprintf(expected, sizeof(expected), "an integer from %ld to %ld", row->min,
			       row->max);
		return json_fault(v, e, expected);
	}
	*(unsigned *)out = (unsigned)json_integer_value(v);
	return true;
}

/* "one of a, b, c": as many as fit. */
static void list_words(char *out, size_t room, const char *const *words)
{
	size_t len = (size_t)snprintf(out, room, "one of");

	for (size_t i = 0; words[i] && len < room; i++)
		len += (size_t)snprintf(out + len, room - len, "%s %s", i ? "," : "",
					*words[i] ? words[i] : "\"\"");
}

bool json_read_word(const json_t *v, const struct json_row *row, void *out, struct err *e)
{
	const char *word = json_is_plain_string(v) ? json_string_value(v) : NULL;
	struct hint hint = HINT(word);
	char expected[256];

	for (int i = 0; word && row->words[i]; i++)
		if (strcmp(row->words[i], word) == 0) {
			*(int *)out = i;
			return true;
		}
	list_words(expected, sizeof(expected), row->words);
	(void)json_fault(v, e, expected);
	for (int i = 0; word && row->words[i]; i++)
		hint_try(&hint, row->words[i]);
	if (hint.best)
		err_append(e, " (did you mean \"%s\"?)", hint.best);
	return err_hint(e, hint.best);
}

bool json_read_any(const json_t *v, const struct json_row *row UNUSED, void *out,
		   struct err *e UNUSED)
{
	*(const json_t **)out = v;
	return true;
}

bool json_read_object(const json_t *v, const struct json_row *row, void *out, struct err *e)
{
	return json_decode_in(v, row->table, out, e);
}

/* Items go to `at`, row->size apart; without a size all go to the same place. */
/* A list of one is often written without its brackets. */
static bool fault_no_list(const json_t *v, struct err *e)
{
	(void)json_fault(v, e, "a list");
	if (json_is_plain_string(v))
		err_append(e, "; write [\"%.60s\"]", json_string_value(v));
	return false;
}

bool json_read_each(const json_t *v, const struct json_row *row, void *at, struct err *e)
{
	bool good = true;
	json_t *item;
	size_t i;

	if (!json_is_array(v))
		return fault_no_list(v, e);
	if (json_array_size(v) < (size_t)row->min)
		return err_set(e, ERR_CONFIG, ": %zu entries, %ld at least", json_array_size(v),
			       row->min);
	if (json_array_size(v) > (size_t)row->max)
		return err_set(e, ERR_CONFIG, ": %zu entries, %ld at most", json_array_size(v),
			       row->max);
	json_array_foreach (v, i, item) {
		size_t entered = err_enter(e, "[%zu]", i);
		bool done = row->item(item, row, (char *)at + i * row->size, e);

		err_leave(e, entered);
		if (!err_continue(e, done || err_in(e, "[%zu]", i), &good))
			return false;
	}
	return good;
}

bool json_read_list(const json_t *v, const struct json_row *row, void *out, struct err *e)
{
	/* JSON_LIST: a size_t, then the items at the next boundary that suits a pointer. */
	if (!json_read_each(v, row, (char *)out + sizeof(size_t), e))
		return false;
	*(size_t *)out = json_array_size(v);
	return true;
}

bool json_read_items(const json_t *v, const struct json_row *row, void *out, struct err *e)
{
	_Alignas(max_align_t) char forgotten[JSON_ITEM_ROOM];

	if (!json_read_each(v, row, forgotten, e))
		return false;
	*(const json_t **)out = v;
	return true;
}
