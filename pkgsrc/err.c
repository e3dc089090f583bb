/* err.c: one error, owned by the caller. */
#include "err.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

PRINTF(3, 0)
static bool set(struct err *e, unsigned code, const char *fmt, va_list args)
{
	if (e->code)
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
	bool first = !e->code;
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
	size_t len, keep = strlen(e->text);
	va_list args;

	va_start(args, fmt);
	(void)vsnprintf(step, sizeof(step), fmt, args);
	va_end(args);
	len = strlen(step);
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

	va_start(args, fmt);
	(void)vsnprintf(e->details, sizeof(e->details), fmt, args);
	va_end(args);
	return false;
}

void err_clear(struct err *e)
{
	*e = (struct err){ 0 };
}
