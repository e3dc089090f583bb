/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The plugin run for real, and nothing of the machine touched.
 *
 * stage_enter() goes before a group of tests, stage_setup() and stage_teardown() around each of
 * them: STAGE. The process then lives in mount and network namespaces of its own, in which /run,
 * /etc, /var/lib and what it writes there are fresh for each test; all else is the machine's. The
 * working directory stays what it was, so relative paths still reach the tree.
 *
 * Whatever cannot be made fails the test that wanted it.
 */
#ifndef STAGE_H
#define STAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>
#include "base.h"

enum {
	STAGE_SECONDS =
		120 /* a call that takes longer hangs; on a busy machine 30 were not enough */
};

/* What the stage has as /etc/resolv.conf until the test writes another. */
#define STAGE_NODE_FILE "search node.example\nnameserver 192.0.2.53\n"

/* Bytes, with a NUL after them that SIZE does not count. */
struct blob {
	char *data;
	size_t size;
};

enum stdin_mode {
	STDIN_WHOLE,   /* the bytes, then end of file */
	STDIN_CHUNKED, /* the same in small pieces with pauses */
	STDIN_OPEN,    /* the bytes, and never an end of file */
	STDIN_CLOSED,  /* no descriptor 0 */
	STDIN_DIR,     /* a folder: read() fails */
};

struct stage_call {
	const char *const
		*env; /* K=V, NULL at the end: nothing else but sanitizers' options is set */
	struct blob in;
	enum stdin_mode mode;
	const char *const *args; /* NULL at the end, or NULL: none */
};

struct stage_result {
	int exit; /* 128 + N: ended by signal N; -1: took too long and was killed */
	struct blob out, err;
};

int stage_enter(void **state);
int stage_setup(void **state);
int stage_teardown(void **state);

/* What surrounds the tests of a group (rows.h), where they need nothing more. */
#define STAGE stage_enter, stage_setup, stage_teardown

/* Runs the program that the variable POD_DNS names. stage_result_done() frees what it said. */
void stage_run(const struct stage_call *, struct stage_result *);
void stage_result_done(struct stage_result *);

/* A call of CNI. What is NULL is as it says here. */
struct stage_cni {
	const char *command;
	const char *id;	    /* c1 */
	const char *ifname; /* eth0 */
	const char *netns;  /* /run/netns/pod */
	const char *args;   /* CNI_ARGS: none */
	const char *in;	    /* stdin, with ' for " */
};
void stage_cni(const struct stage_cni *, struct stage_result *);

/* The environment of such a call, for those who make it themselves: what it points to is in it. */
struct stage_env {
	char line[6][256];
	const char *at[7];
};
void stage_env(struct stage_env *, const struct stage_cni *);

/* Binds a new network namespace to PATH, whose folder is made. */
void stage_netns(const char *path);

/*
 * Starts a process with mount and network namespaces and a root (the folder ROOT, which must exist)
 * of its own, as a container has them; without ROOT, with a network namespace only. It ends with
 * the test.
 */
pid_t stage_container(const char *root);

/*
 * What a call leaves behind, a late child, becomes a child of the test's. The oldest of them; 0:
 * there is none. They end with the test, or when they are killed.
 */
pid_t stage_orphan(void);
void stage_kill_orphans(void);

/* Makes the folders too. Only below /run, /etc and /var/lib. */
void stage_write(const char *path, const void *data, size_t size);
void stage_put(const char *path, const char *text);
void stage_link(const char *path, const char *to);

/* Whether something stands there, be it a link that leads nowhere. */
bool stage_has(const char *path);

/* Whether a process waits for the lock of that file (flock(2)). */
bool stage_is_awaited(const char *lock);

/* Fails unless the file holds that text. */
void stage_holds(const char *path, const char *text);

/* Copies what lies under FOLDER to the same places below /. False: no such folder. */
bool stage_lay(const char *folder);

/* A whole file; free data. False: cannot be read, and the blob is empty. */
bool blob_read(const char *path, struct blob *);

/* A file of no folder that holds a text, and what one holds by now. */
int stage_memfd(const char *text);
struct blob stage_memfd_read(int fd);

/* From here on the process has ACTION (SECCOMP_RET_…) done where it makes that system call. */
void stage_on_call(unsigned number, unsigned action);

/* A mistake in the test or its machine, not in the program: no test goes on from here. */
void stage_broken(const char *fmt, ...) __attribute__((format(printf, 1, 2), noreturn));

#endif
