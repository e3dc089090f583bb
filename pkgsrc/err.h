/* SPDX-License-Identifier: Apache-2.0 */
/*
 * err.h: one error, owned by the caller.
 *
 * A fallible function takes a struct err last and returns false after
 * err_set(). Who finds the fault names it; who called names the step with
 * err_in(), so that a text reads outermost first:
 * "rules[1].dnsConfig.options[0].value: expected a string, got a boolean". The
 * first report wins: later ones are echoes. Nothing is allocated and nothing is
 * printed. Who does not want to know gives NULL.
 *
 * Who wants every fault, and not only the first, hangs a struct err_list on the
 * struct err. Then err_next() files a fault and the work goes on with the next
 * item; the functions on the way return false as ever.
 */
#ifndef PKG_ERR_H
#define PKG_ERR_H

#include "base.h"

struct arena;

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
	unsigned code; /* 0: nothing has gone wrong, or all of it is filed */
	char text[768];
	char details[256];     /* may be empty */
	const char *hint;      /* what was probably meant, a literal; NULL: no idea */
	struct err_list *list; /* NULL: the first fault ends the work */
};

enum { ERR_LIST_MAX = 256 };

/* Every fault of one piece of work; its strings lie in the arena. */
struct err_list {
	struct arena *arena;
	struct err_item {
		unsigned code;
		const char *path; /* "rules[1].dnsConfig", or "" */
		const char *text;
		const char *hint;
	} at[ERR_LIST_MAX];
	size_t n, lost; /* lost: found no room */
	char path[512]; /* where the work is */
};

/* Both return false. A text that is too long loses its end. */
bool err_set(struct err *e, unsigned code, const char *fmt, ...) PRINTF(3, 4);
bool err_in(struct err *e, const char *fmt, ...) PRINTF(2, 3);

/* err_set() with ": " and strerror(errno) behind the text; errno is read at the call. */
bool err_errno(struct err *e, unsigned code, const char *fmt, ...) PRINTF(3, 4);

/* Adds the details of a CNI error object; returns false. */
bool err_details(struct err *e, const char *fmt, ...) PRINTF(2, 3);

/* Says what was probably meant, a literal or NULL; returns false. */
bool err_hint(struct err *e, const char *hint);

/* Hands `fault` on, unless *e has an earlier one; returns false. */
bool err_pass(struct err *e, const struct err *fault);

/* Ready for the next try. */
void err_clear(struct err *e);

/*
 * After a fault at which the work could go on: with a list, files the fault and
 * returns true; without one returns false. A fault at a path that is in the
 * list already, or above or below such a path, is an echo and not filed.
 */
bool err_next(struct err *e);

/*
 * For the list: the work enters a step ("[1]", ".key") and leaves it again,
 * with what err_enter() returned. A fault that leaves the step unfiled gets its
 * name by err_in(), as without a list.
 */
size_t err_enter(struct err *e, const char *fmt, ...) PRINTF(2, 3);
void err_leave(struct err *e, size_t entered);

#endif
