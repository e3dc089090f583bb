/* SPDX-License-Identifier: Apache-2.0 */
/*
 * resolv.h: a resolver configuration, and its text (resolv.conf(5)).
 *
 * The lists do not own their strings. resolv_parse() and resolv_render() are inverses for all that
 * may stand in the file: for any lists x of words, render(parse(render(x))) is render(x).
 */
#ifndef PKG_RESOLV_H
#define PKG_RESOLV_H

#include "base.h"

struct arena;
struct text;

enum { RESOLV_MAX = 128 }; /* entries a list: four times the searches that Kubernetes allows */

struct resolv_entry {
	const char *text;
	uint32_t key; /* length of the key: of an option its name, else the whole text */
	int32_t from; /* the caller's mark: where the entry came from */
	const char
		*displaced; /* the caller's: what it took the place of, blanks between; or NULL */
};

/*
 * A list is a value: a struct assignment copies it. Lists may share an array, so an array that is
 * in a list is never changed. A function that changes a list gives it a new array in the arena,
 * which must outlive it. Entries are cut off the end by a smaller `n`, off the beginning also by a
 * greater `at`.
 */
struct resolv_list {
	const struct resolv_entry *at;
	size_t n;
	size_t lost; /* entries beyond RESOLV_MAX */
};

struct resolv {
	struct resolv_list nameservers, searches, options;
};

enum resolv_dialect {
	/* The node's file, as kubelet reads it: a search loses one final dot, "." is dropped, and
	 * of two options of one name the later takes the earlier's place (pkg/kubelet/network/dns,
	 * parseResolvConf, v1.32). */
	RESOLV_NODE,
	/* A file that a runtime wrote for a pod: every word stays. */
	RESOLV_VERBATIM,
};

/*
 * Reads `text`, which is cut into words in place (text[len] is written too) and must outlive `r`,
 * as must the arena.
 * In both dialects: lines end at LF, words at Unicode white space; a line may be indented; "#"
 * begins a comment only as the first character; the last `search` line counts; `options` lines add
 * up; all else is ignored. Entries are marked `from`. Returns 0, or the number of the first
 * `nameserver` line without a value, for which kubelet refuses the file.
 */
size_t resolv_parse(struct resolv *r, char *text, size_t len, enum resolv_dialect, int from,
		    struct arena *a);

/*
 * search, nameserver, options: byte for byte what containerd and CRI-O write for the same lists
 * (containerd parseDNSOptions, CRI-O ParseDNSOptions); nothing for an empty list.
 */
void resolv_render(struct text *out, const struct resolv *r);

/* The same in the arena; NULL: it is longer than `max` bytes, or memory has ended. */
const char *resolv_text(const struct resolv *r, size_t max, struct arena *a);

bool resolv_is_empty(const struct resolv *r);

/* If memory runs out, the list stays as it is, and that of resolv_remove() ends before the entry;
 * then arena_ok() is false. */
void resolv_add(struct resolv_list *list, struct resolv_entry entry, struct arena *a);
void resolv_replace(struct resolv_list *list, size_t i, struct resolv_entry entry, struct arena *a);
void resolv_remove(struct resolv_list *list, size_t i, struct arena *a);

/* The entry with this text (resolv_find_key(): this key), byte by byte; NULL: none. */
const struct resolv_entry *resolv_find(const struct resolv_list *list, const char *text);
const struct resolv_entry *resolv_find_key(const struct resolv_list *list, const char *key,
					   size_t len);

/* An entry for a name server or a search; for an option: its name ends at the first colon. */
struct resolv_entry resolv_word(const char *text, int from);
struct resolv_entry resolv_option(const char *token, int from);

/* An option's value, behind its key and a colon; NULL: there is none. */
const char *resolv_option_value(const struct resolv_entry *option);

#endif
