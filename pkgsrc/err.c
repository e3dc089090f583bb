/* SPDX-License-Identifier: Apache-2.0 */
/* err.c: one error, owned by the caller. */
#include "err.h"
#include "arena.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

PRINTF(3, 0)
static bool set(struct err *e, unsigned code, const char *fmt, va_list args)
{
	if (!e || e->code)
		return false;
	e->code = code;
	(void)vsnprintf(e->text, sizeof(e->text), fmt, args);
	return false;
}

bool err_set(struct err *e, unsigned code, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	(void)set(e, code, fmt, args);
	va_end(args);
	return false;
}

bool err_errno(struct err *e, unsigned code, const char *fmt, ...)
{
	const char *reason = strerror(errno);
	bool first = e && !e->code;
	va_list args;

	va_start(args, fmt);
	(void)set(e, code, fmt, args);
	va_end(args);
	if (first) {
		size_t used = strlen(e->text);

		(void)snprintf(e->text + used, sizeof(e->text) - used, ": %s", reason);
	}
	return false;
}

bool err_in(struct err *e, const char *fmt, ...)
{
	char step[sizeof(e->text) / 2];
	size_t len, keep;
	va_list args;

	if (!e || !e->code) /* err_next() has put it into the list */
		return false;
	va_start(args, fmt);
	(void)vsnprintf(step, sizeof(step), fmt, args);
	va_end(args);
	len = strlen(step);
	keep = strlen(e->text);
	if (keep > sizeof(e->text) - 1 - len)
		keep = sizeof(e->text) - 1 - len;
	memmove(e->text + len, e->text, keep);
	memcpy(e->text, step, len);
	e->text[len + keep] = '\0';
	return false;
}

bool err_details(struct err *e, const char *fmt, ...)
{
	va_list args;

	if (!e)
		return false;
	va_start(args, fmt);
	(void)vsnprintf(e->details, sizeof(e->details), fmt, args);
	va_end(args);
	return false;
}

void err_append(struct err *e, const char *fmt, ...)
{
	size_t len = e ? strlen(e->text) : 0;
	va_list args;

	if (!e)
		return;
	va_start(args, fmt);
	(void)vsnprintf(e->text + len, sizeof(e->text) - len, fmt, args);
	va_end(args);
}

bool err_hint(struct err *e, const char *hint)
{
	if (e)
		e->hint = hint;
	return false;
}

bool err_move(struct err *e, const struct err *fault)
{
	struct err_list *list = e ? e->list : NULL;

	if (e && !e->code) {
		*e = *fault;
		e->list = list;
	}
	return false;
}

void err_clear(struct err *e)
{
	if (e)
		*e = (struct err){ .list = e->list };
}

/*** all of them ***/

/* Whether `path` is `upper` or lies below it. */
static bool is_path_below(const char *path, const char *upper)
{
	size_t len = strlen(upper);

	return strncmp(path, upper, len) == 0 && strchr(".[", path[len]);
}

/* Whether the list has a fault at `path`, below it or above it. */
static bool err_list_has(const struct err_list *list, const char *path)
{
	for (size_t i = 0; i < list->n; i++)
		if (is_path_below(list->at[i].path, path) || is_path_below(path, list->at[i].path))
			return true;
	return false;
}

/* Splits "a.b[1]: text" into path and text. */
static void err_list_add(struct err_list *list, const struct err *e)
{
	const char *whole = e->text + (e->text[0] == '.'), *colon = strstr(whole, ": ");
	size_t len = colon ? (size_t)(colon - whole) : 0;
	const char *path = arena_print(list->arena, "%.*s", (int)len, whole);

	if (!arena_ok(list->arena) || err_list_has(list, path))
		return;
	if (list->n == ERR_LIST_MAX) {
		list->lost++;
		return;
	}
	list->at[list->n++] = (struct err_item){
		.code = e->code,
		.path = path,
		.text = arena_print(list->arena, "%s", colon ? colon + 2 : whole),
		.hint = e->hint,
	};
}

bool err_next(struct err *e)
{
	if (!e || !e->list)
		return false;
	if (e->code) {
		(void)err_in(e, "%s", e->list->path);
		err_list_add(e->list, e);
		err_clear(e);
	}
	return true;
}

bool err_continue(struct err *e, bool done, bool *good)
{
	*good = *good && done;
	return done || err_next(e);
}

size_t err_enter(struct err *e, const char *fmt, ...)
{
	va_list args;
	size_t len;

	if (!e || !e->list)
		return 0;
	len = strlen(e->list->path);
	va_start(args, fmt);
	(void)vsnprintf(e->list->path + len, sizeof(e->list->path) - len, fmt, args);
	va_end(args);
	return len;
}

void err_leave(struct err *e, size_t entered)
{
	if (e && e->list)
		e->list->path[entered] = '\0';
}
