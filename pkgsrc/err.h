/*
 * err.h: one error, owned by the caller.
 *
 * A fallible function takes a struct err last and returns false after err_set(). Who finds the
 * fault names it; who called names the step with err_in(), so that a text reads outermost first:
 * "rules[1].dnsConfig.options[0].value: expected a string, got a boolean". The first report wins:
 * later ones are echoes. Nothing is allocated and nothing is printed.
 */
#ifndef PKG_ERR_H
#define PKG_ERR_H

#include "base.h"

/* The codes of CNI (SPEC section 5, pkg/types), and ours from 100. */
enum {
	ERR_VERSION = 1,
	ERR_UNSUPPORTED = 2,
	ERR_ENV = 4,
	ERR_IO = 5,
	ERR_DECODE = 6,
	ERR_CONFIG = 7,
	ERR_NETNS = 8,
	ERR_AGAIN = 11,
	ERR_STATUS = 50,
	ERR_STEER = 100,
	ERR_TARGET = 101,
};

struct err {
	unsigned code; /* 0: nothing has gone wrong */
	char text[768];
	char details[256]; /* may be empty */
};

/* Both return false. A text that is too long loses its end. */
bool err_set(struct err *e, unsigned code, const char *fmt, ...) PRINTF(3, 4);
bool err_in(struct err *e, const char *fmt, ...) PRINTF(2, 3);

/* err_set() with ": " and strerror(errno) behind the text; errno is read at the call. */
bool err_errno(struct err *e, unsigned code, const char *fmt, ...) PRINTF(3, 4);

/* Adds the details of a CNI error object; returns false. */
bool err_details(struct err *e, const char *fmt, ...) PRINTF(2, 3);

/* Ready for the next try. */
void err_clear(struct err *e);

#endif
