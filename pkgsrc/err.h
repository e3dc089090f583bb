/* SPDX-License-Identifier: Apache-2.0 */
/*
 * err.h: one error, owned by the caller.
 *
 * A function that can fail takes a struct err last and returns false after err_set(). The callee
 * names the fault, the caller prepends the step by err_in(), so that a text reads outermost first:
 * "rules[1].dnsConfig.options[0].value: expected a string, got a boolean". The first report counts;
 * later ones are ignored. Nothing is allocated or printed. All of these functions accept NULL.
 *
 * To get every fault and not only the first, attach a struct err_list to the struct err. Then
 * err_next() adds a fault to the list and the work goes on with the next item; the functions above
 * still return false.
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
	unsigned code; /* 0: no fault, or all are in the list */
	char text[768];
	char details[256];     /* may be empty */
	const char *hint;      /* what was probably meant, a literal; or NULL */
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
	size_t n, lost; /* lost: faults beyond ERR_LIST_MAX */
	char path[512]; /* of the item at hand: err_enter() */
};

/* Both return false. A text that is too long is cut. */
bool err_set(struct err *e, unsigned code, const char *fmt, ...) PRINTF(3, 4);
bool err_in(struct err *e, const char *fmt, ...) PRINTF(2, 3);

/* Like err_set(), followed by ": " and strerror(errno). */
bool err_errno(struct err *e, unsigned code, const char *fmt, ...) PRINTF(3, 4);

/* Adds the details of a CNI error object; returns false. */
bool err_details(struct err *e, const char *fmt, ...) PRINTF(2, 3);

/* Adds to the end of the error's text. NULL is accepted. */
void err_append(struct err *e, const char *fmt, ...) PRINTF(2, 3);

/* Sets the hint, a literal or NULL; returns false. */
bool err_hint(struct err *e, const char *hint);

/* Hands `fault` on, unless *e has an earlier one; returns false. */
bool err_move(struct err *e, const struct err *fault);

/* Removes the fault; the list stays. */
void err_clear(struct err *e);

/*
 * After a fault at which the work could go on. If there is a list: adds the fault and returns true.
 * If not: returns false. A fault is not added if its path, or one above or below it, is in the
 * list: it follows from that one.
 */
bool err_next(struct err *e);

/*
 * The same for one of several steps, which was `done` or has failed: then *good becomes false.
 * Returns whether the next step is to be taken.
 */
bool err_continue(struct err *e, bool done, bool *good);

/*
 * For the list: the work enters a step ("[1]", ".key"), and leaves it with what err_enter()
 * returned. A fault that is not in the list by then gets the step's name by err_in().
 */
size_t err_enter(struct err *e, const char *fmt, ...) PRINTF(2, 3);
void err_leave(struct err *e, size_t entered);

#endif
