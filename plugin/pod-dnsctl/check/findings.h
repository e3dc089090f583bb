/* SPDX-License-Identifier: Apache-2.0 */
/* findings.h: the list of what `check` finds. */
#ifndef POD_DNSCTL_FINDINGS_H
#define POD_DNSCTL_FINDINGS_H

#include "warn.h"

#include <jansson.h>

struct err;
struct err_list;

enum severity { SEVERITY_WARNING, SEVERITY_ERROR };

struct finding {
	const char *file;
	const char *path; /* of the key, in the plugin's object or the conflist; may be "" */
	enum severity severity;
	const char *kind; /* a literal, or a warning's */
	const char *text;
	const char *suggestion; /* NULL: none */
};

enum { FINDINGS_MAX = 1024 };

struct findings {
	struct arena *arena;
	const char *file; /* of the findings to come */
	struct finding at[FINDINGS_MAX];
	size_t n, lost;
};

/* `suggestion` may be NULL. */
void findings_add(struct findings *f, enum severity severity, const char *kind, const char *path,
		  const char *suggestion, const char *fmt, ...) PRINTF(6, 7);

/* Adds an error, splitting "PATH: TEXT". */
void findings_add_err(struct findings *f, const char *kind, const struct err *e);

/* Adds all faults of a list as errors. */
void findings_add_list(struct findings *f, const char *kind, const struct err_list *faults);

/* Adds the plugin's warnings; `path` is for those that name none. */
void findings_add_warnings(struct findings *f, const struct warnings *w, const char *path);

/* How many of a severity there are. */
size_t findings_count(const struct findings *f, enum severity severity);

/* {"findings": […]}; the caller's. */
json_t *findings_json(const struct findings *f);

#endif
