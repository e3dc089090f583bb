/* SPDX-License-Identifier: Apache-2.0 */
/* pods.c: reads Kubernetes' pod objects, one or a List. */
#include "pod-dnsctl/inventory/pods.h"
#include "file.h"
#include "json.h"
#include "text.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

enum { PODS_MAX = 1 << 30 }; /* bytes: more than 100,000 pods */

static bool read_all(struct text *text, const char *path, struct err *e)
{
	bool in = strcmp(path, "-") == 0;
	auto_fd fd = in ? dup(STDIN_FILENO) : open(path, O_RDONLY | O_CLOEXEC);

	return (fd >= 0 || err_errno(e, ERR_IO, "%s", path)) &&
	       file_read_fd(text, fd, in ? "stdin" : path, e);
}

bool pods_open(struct pods *p, const char *path, struct err *e)
{
	auto_text text = TEXT_UP_TO(PODS_MAX);

	*p = (struct pods){ .path = strcmp(path, "-") == 0 ? "stdin" : path };
	if (!read_all(&text, path, e))
		return false;
	p->document = json_read(text.at ? text.at : "", text.len, false, e);
	if (!p->document)
		return err_in(e, "%s: ", p->path);
	p->items = json_object_get(p->document, "items");
	p->list = json_is_array(p->items);
	return true;
}

void pods_close(struct pods *p)
{
	json_decref(p->document);
	*p = (struct pods){ .path = p->path };
}

json_t *pods_next(struct pods *p, struct err *e)
{
	size_t i = p->n++;
	json_t *pod;

	if (!p->list)
		return i ? NULL : p->document;
	pod = json_array_get(p->items, i);
	if (pod && !json_is_object(pod)) {
		(void)err_set(e, ERR_DECODE, "%s: items[%zu]: expected an object", p->path, i);
		return NULL;
	}
	return pod;
}
