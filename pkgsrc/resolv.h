/* SPDX-License-Identifier: Apache-2.0 */
/*
 * resolv.h: a resolver configuration, and its text (resolv.conf(5)).
 *
 * The lists borrow their strings: whoever fills one keeps them alive. resolv_parse() and
 * resolv_render() are inverses over what may stand in the file: for any lists x of words,
 * render(parse(render(x))) is render(x).
 */
#ifndef PKG_RESOLV_H
#define PKG_RESOLV_H

#include "base.h"

struct text;

enum { RESOLV_MAX = 128 }; /* entries a list: four times the searches that Kubernetes allows */

struct resolv_entry {
	const char *text;
	uint32_t key; /* of an option: length of its name; else of the whole text */
	int32_t from; /* the caller's mark: where the entry came from */
	const char
		*displaced; /* the caller's: what it took the place of, blanks between; or NULL */
};

struct resolv_list {
	struct resolv_entry at[RESOLV_MAX];
	size_t n;
	size_t lost; /* what found no room */
};

struct resolv {
	struct resolv_list nameservers, searches, options;
};

enum resolv_dialect {
	/* The node's file, as kubelet reads it: a search loses one final dot, "." falls away, the
	 * later of two options of one name takes the earlier's place (pkg/kubelet/network/dns,
	 * parseResolvConf, v1.32). */
	RESOLV_NODE,
	/* A file that a runtime wrote for a pod: every word stays. */
	RESOLV_VERBATIM,
};

/*
 * Reads `text`, which is cut into words in place (text[len] is written too) and must outlive `r`.
 * In both dialects: lines end at LF, words at Unicode white space, a line may be indented, "#"
 * begins a comment only as the first character, the last `search` line wins, `options` lines add
 * up, all else is ignored. Entries carry `from`. Returns 0, or the number of the first line with a
 * `nameserver` and no value: kubelet refuses such a file.
 */
size_t resolv_parse(struct resolv *r, char *text, size_t len, enum resolv_dialect, int from);

/*
 * search, nameserver, options: byte for byte what containerd and CRI-O write for the same lists
 * (containerd parseDNSOptions, CRI-O ParseDNSOptions); nothing for an empty list.
 */
void resolv_render(struct text *out, const struct resolv *r);

bool resolv_is_empty(const struct resolv *r);

void resolv_add(struct resolv_list *list, struct resolv_entry entry);
void resolv_remove(struct resolv_list *list, size_t i);

/* The entry whose text (resolv_find_key: whose key) is the same, byte by byte; NULL: none. As with
 * strchr(), who may write to the list may write to what resolv_find_key() finds. */
const struct resolv_entry *resolv_find(const struct resolv_list *list, const char *text);
struct resolv_entry *resolv_find_key(const struct resolv_list *list, const char *key, size_t len);

/* A name server or a search; an option as "name" or "name:value", its name up to the first colon.
 */
struct resolv_entry resolv_word(const char *text, int from);
struct resolv_entry resolv_option(const char *token, int from);

/* An option's value: behind its key and a colon; NULL where there is no colon. */
const char *resolv_option_value(const struct resolv_entry *option);

#endif
