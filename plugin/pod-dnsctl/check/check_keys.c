/* SPDX-License-Identifier: Apache-2.0 */
/* check_unread_keys.c: check: keys of our object that pod-dns does not read, and keys given twice.
 */
#include "config/conf.h"
#include "file.h"
#include "pod-dnsctl/check/check.h"
#include "pod-dnsctl/install/set.h"
#include "text.h"

#include <fcntl.h>
#include <string.h>

enum { CONFLIST_MAX = 64 << 20 };

/* Whether a warning about the key's spelling is there already. */
static bool is_found(const struct findings *f, const char *key)
{
	for (size_t i = 0; i < f->n; i++)
		if (strcmp(f->at[i].file, f->file) == 0 && strcmp(f->at[i].path, key) == 0)
			return true;
	return false;
}

/* Keys of other tools are ignored, so only keys that were meant for pod-dns are reported. */
static void check_unread(const json_t *object, struct findings *f)
{
	const json_t *value;
	const char *key;

	json_object_foreach ((json_t *)object, key, value) {
		const char *meant =
			conf_key_is_read(key) || is_found(f, key) ? NULL : set_guess_key(key);

		if (meant && strchr(meant, '=')) /* with the value that --set takes */
			meant = "dnsConfig.options";
		if (meant && !json_is_null(value))
			findings_add(f, SEVERITY_WARNING, "misspelt-key", key, meant,
				     "pod-dns does not read this key (did you mean %s?)", meant);
	}
}

/* jansson tells of the first key that is there twice, and of its name. */
static void check_twice(const char *path, struct findings *f)
{
	auto_text text = TEXT_UP_TO(CONFLIST_MAX);
	json_error_t fault;
	json_t *document;
	const char *name;

	if (strcmp(path, "stdin") == 0 || !file_read(&text, AT_FDCWD, path, true, NULL) || !text.at)
		return;
	document = json_loadb(text.at, text.len, JSON_REJECT_DUPLICATES, &fault);
	json_decref(document);
	if (document || json_error_code(&fault) != json_error_duplicate_key)
		return;
	name = strchr(fault.text, '"');
	name = name ? arena_print(f->arena, "%.*s", (int)strcspn(name + 1, "\""), name + 1) : "";
	findings_add(f, SEVERITY_WARNING, "twice", name, NULL,
		     "line %d: the key is there twice: only the last one counts", fault.line);
}

void check_unread_keys(const struct conflist *list, struct findings *f)
{
	check_unread(list->network, f);
	check_twice(list->path, f);
}
