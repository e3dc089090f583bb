/* SPDX-License-Identifier: Apache-2.0 */
/* findings.c: the list of what `check` finds. */
#include "pod-dnsctl/check/findings.h"
#include "err.h"
#include "pod-dnsctl/cli/out.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void findings_add(struct findings *f, enum severity severity, const char *kind, const char *path,
		  const char *suggestion, const char *fmt, ...)
{
	char text[1024];
	va_list args;

	va_start(args, fmt);
	(void)vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	if (f->n == FINDINGS_MAX) {
		f->lost++;
		return;
	}
	f->at[f->n++] = (struct finding){
		.file = f->file,
		.path = arena_print(f->arena, "%s", path),
		.severity = severity,
		.kind = kind,
		.text = arena_print(f->arena, "%s", text),
		.suggestion = suggestion ? arena_print(f->arena, "%s", suggestion) : NULL,
	};
}

/* The length of the path in "a.b[0].c: text"; 0: there is no path. */
static size_t path_length(const char *text)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				      "0123456789.[]-_";
	size_t len = strspn(text, letters);

	return text[len] == ':' && text[len + 1] == ' ' ? len : 0;
}

static void add_whole(struct findings *f, enum severity severity, const char *kind,
		      const char *path, const char *suggestion, const char *whole)
{
	size_t len = path_length(whole);

	if (len)
		path = arena_print(f->arena, "%.*s", (int)len, whole);
	findings_add(f, severity, kind, path, suggestion, "%s", len ? whole + len + 2 : whole);
}

void findings_add_err(struct findings *f, const char *kind, const struct err *e)
{
	add_whole(f, SEVERITY_ERROR, kind, "", e->hint, e->text);
}

void findings_add_list(struct findings *f, const char *kind, const struct err_list *faults)
{
	for (size_t i = 0; i < faults->n; i++) {
		const struct err_item *item = &faults->at[i];

		findings_add(f, SEVERITY_ERROR, kind, item->path, item->hint, "%s", item->text);
	}
	f->lost += faults->lost;
}

/* Warnings of the plugin that are errors for the cache. */
static enum severity severity_of(const struct warning *w)
{
	return strcmp(w->kind, "servers") == 0 ? SEVERITY_ERROR : SEVERITY_WARNING;
}

void findings_add_warnings(struct findings *f, const struct warnings *w, const char *path)
{
	for (size_t i = 0; i < w->n; i++)
		add_whole(f, severity_of(&w->at[i]), w->at[i].kind, path, w->at[i].hint,
			  w->at[i].text);
}

size_t findings_count(const struct findings *f, enum severity severity)
{
	size_t n = 0;

	for (size_t i = 0; i < f->n; i++)
		n += f->at[i].severity == severity;
	return n;
}

json_t *findings_json(const struct findings *f)
{
	json_t *list = json_array();

	for (size_t i = 0; i < f->n; i++) {
		const struct finding *at = &f->at[i];

		(void)json_array_append_new(
			list,
			json_pack("{s:o, s:o, s:s, s:s, s:o, s:o}", "file", out_string(at->file),
				  "path", out_string(at->path), "severity",
				  at->severity == SEVERITY_ERROR ? "error" : "warning", "kind",
				  at->kind, "text", out_string(at->text), "suggestion",
				  at->suggestion ? out_string(at->suggestion) : json_null()));
	}
	return json_pack("{s:o}", "findings", list);
}
