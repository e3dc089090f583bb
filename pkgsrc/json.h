/* SPDX-License-Identifier: Apache-2.0 */
/*
 * json.h: JSON read by tables, over jansson.
 *
 * A format is a table of rows {key, reader, offset in the struct}. A nested object is a row with a
 * reader that runs another table. Errors name the path of the key and the value that was found:
 * `rules[1].dnsConfig.options[0].value: expected a string, an integer or null, got true`. Checks
 * that span keys follow in code. Decoded structs point into the json_t, which must outlive them.
 * null means absent; "" is an error unless the reader says otherwise.
 *
 * With a struct err_list on the struct err, decoding lists each fault and goes on; it still fails.
 * Then members that a reader refused must not be used; lists among them are unchanged.
 */
#ifndef PKG_JSON_H
#define PKG_JSON_H

#include "base.h"
#include "err.h"

#include <jansson.h>

/* Seeds jansson's hashes, which else opens /dev/urandom for it. */
void json_begin(void);

struct json_row;
typedef bool json_reader(const json_t *v, const struct json_row *row, void *out, struct err *e);

/* The inverse (json_encode.h). Puts the value, or nothing: then it is absent. */
struct text;
typedef void json_writer(struct text *out, const struct json_row *row, const void *in);

struct json_table {
	const struct json_row *row;
	size_t n;
	enum {
		JSON_OPEN = 1, /* unknown keys are ignored, not errors */
	} flags;
	const char *help; /* what errors say of an unknown key, and of a value that is not an
			     object; NULL: nothing more */
};

struct json_row {
	const char *key;
	json_reader *read;
	size_t at; /* offset of the member that the reader fills */
	bool required;
	const char *alias;		/* another spelling; both at once are an error */
	const struct json_table *table; /* of json_read_object, of each item of a list */
	const char *const *words;	/* of json_read_word: NULL-terminated */
	json_reader *item;		/* of a list */
	size_t size;			/* of an item of json_read_list */
	long min, max;			/* of an integer, of a list's length */
	bool (*fits)(
		const char *text); /* what a string must be that is not empty; NULL: anything */
	const char *unfit;	   /* what is said of one that does not fit: `"x" UNFIT` */

	/* For json_encode(). */
	json_writer *write, *write_item; /* the inverse of read, of item; NULL: there is none */
	bool nullable;			 /* an absent value is written as null */

	/* For people and for json_schema(). */
	const char *about;	/* describes the key; the first sentence is the title */
	json_reader *like;	/* the reader below that a `read` of one's own restricts */
	json_reader *item_like; /* the same of `item` */
	const char *pattern;	/* what the string, or the strings of the list, match */
	const char *also;	/* a JSON type that is accepted too: "integer", "boolean" */
};

/* A row for `member` of `type`; other members follow as designated initialisers. */
#define JSON_ROW(name, reader, type, member, ...)                                          \
	{                                                                                  \
		.key = (name), .read = (reader), .at = offsetof(type, member), __VA_ARGS__ \
	}
#define JSON_TABLE(rows, f)                                 \
	{                                                   \
		.row = (rows), .n = LEN(rows), .flags = (f) \
	}

/* Fills `out` from an object. If a key is absent, its member stays as it is. */
bool json_decode(const json_t *object, const struct json_table *table, void *out, struct err *e);

/* Like json_decode(), as one step of a longer path. */
bool json_decode_in(const json_t *object, const struct json_table *table, void *out, struct err *e);

/* Whether the tables know all keys of an object and of those in it; values are not checked. Decodes
 * one step of a longer path. */
bool json_known_in(const json_t *object, const struct json_table *table, struct err *e);

/* Readers, by the type of the member. */
json_reader json_read_string; /* const char *: not empty, no NUL, and it `fits` */
json_reader json_read_text;   /* const char *: the same, or empty */
json_reader json_read_addr;   /* struct addr: what addr_parse() takes */
json_reader json_read_bool;   /* bool */
json_reader json_read_tri;    /* enum tri: also tells whether it was written */
json_reader json_read_uint;   /* unsigned: min to max */
json_reader json_read_word;   /* int: index into words */
json_reader json_read_any;    /* const json_t * */
json_reader json_read_object; /* a struct, by `table` */
json_reader json_read_list;   /* JSON_LIST: see below */
json_reader json_read_items;  /* const json_t *: the list itself, each item of it checked */

enum tri { TRI_UNSET, TRI_NO, TRI_YES };

/*
 * A bounded list: a member `struct { size_t n; T at[MAX]; }`, whose row says
 * .item (a reader of T), .size (of T) and .max (MAX).
 *
 * json_read_items copies nothing: .item checks each by reading it into JSON_ITEM_ROOM bytes that
 * are thrown away. Users walk the list with json_array_foreach. NULL: it is absent.
 */
enum { JSON_ITEM_ROOM = 16 };
#define JSON_LIST(type, bound)  \
	struct {                \
		size_t n;       \
		type at[bound]; \
	}

/* For readers of one's own: reads the items of a list to `at`, row->size apart. */
bool json_read_each(const json_t *v, const struct json_row *row, void *at, struct err *e);

/* Sets ": expected EXPECTED, got VALUE", to be completed by err_in() with the path; ERR_CONFIG. */
bool json_fault(const json_t *v, struct err *e, const char *expected);

/* The same with other words behind the value: `: "x" SAYS`. */
bool json_fault_value(const json_t *v, struct err *e, const char *says);

/* Whether the table has that key, or alias. */
bool json_table_has(const struct json_table *table, const char *key);

/* The key (or alias) of the table that `key` is similar to; NULL: none. */
const char *json_key_hint(const struct json_table *table, const char *key);

/* Whether v is a string without a NUL. */
bool json_is_plain_string(const json_t *v);

/*
 * A whole document. NULL: ERR_DECODE names line and column. Strings may hold NUL. If `lenient`, an
 * integer of more than 64 bits makes all integers reals, as in Go's maps.
 */
json_t *json_read(const char *text, size_t len, bool lenient, struct err *e);

/* A member; NULL: absent, or null. With _nocase the last one whose name matches, ignoring ASCII
 * case.
 */
json_t *json_get(const json_t *object, const char *key);
json_t *json_get_nocase(const json_t *object, const char *key);

#endif
