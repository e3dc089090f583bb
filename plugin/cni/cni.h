/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cni.h: the protocol (CNI SPEC 0.1.0 to 1.1.0): a call's environment and stdin, its versions, its
 * error object. If the text and the reference implementation (containernetworking/cni pkg/skel)
 * differ, this follows the reference: runtimes are built on it.
 */
#ifndef POD_DNS_CNI_H
#define POD_DNS_CNI_H

#include "err.h"
#include "warn.h"

#include <jansson.h>
#include <stdio.h>

enum {
	STDIN_MAX = 16 << 20
}; /* bytes; a conflist, prevResult and 256 KiB of annotations fit well */

/* A call as it arrived. Strings are never NULL: a variable that is not set is "". */
struct call {
	const char *command, *container_id, *netns, *ifname, *args, *path;
	const char
		*trace; /* TRACEPARENT (W3C Trace Context, which libcni 1.3.1 passes); NULL: none */
	int runtime;	/* the PID of the process that runs the chain */
	bool netns_override;
	bool accepted;	 /* by the protocol: errors from here on name the network */
	json_t *network; /* stdin, owned; NULL before cni_read_stdin() */
	const char *version, *name;
	json_t *prev_result; /* borrowed; NULL where absent or null */
};

/* Which variables a command needs (pkg/skel, getCmdArgsFromEnv). */
enum { NEEDS_CONTAINERID = 1, NEEDS_NETNS = 2, NEEDS_IFNAME = 4, NEEDS_PATH = 8 };

struct verb {
	const char *command;
	unsigned needs;
	const char *since; /* the first CNI version that has it; NULL: every supported one */
	bool no_stdin;
	bool prints; /* its result is made of what came on stdin */
	/* Prints its result, if it has one, to `out`, and nothing when it fails. */
	bool (*run)(const struct call *call, FILE *out, struct warnings *w, struct err *e);
};

/* Reads and checks the environment for the verb (NULL: an unknown command). ERR_ENV. */
bool cni_read_env(struct call *call, const struct verb *verb, struct err *e);

/*
 * Reads `fd` to its end: ERR_IO, ERR_DECODE, or ERR_CONFIG for a missing or bad network name. If
 * `lenient`, an integer of more than 64 bits in another plugin's key is accepted: the document is
 * not printed again.
 */
bool cni_read_stdin(struct call *call, int fd, bool lenient, struct err *e);

/* Whether the network's version has the verb: ERR_VERSION; ERR_DECODE if it is not a version. */
bool cni_check_version(const struct call *call, const struct verb *verb, struct err *e);

/* ^[a-zA-Z0-9][a-zA-Z0-9_.\-]*$, ASCII: container IDs and network names (SPEC, "ADD"). */
bool cni_is_id(const char *s);

bool cni_is_supported(const char *version);

/* json_fault() of what a caller of CNI says: ERR_DECODE. */
bool cni_fault(const json_t *v, struct err *e, const char *expected);

/* -1, 0, 1 as a is older than, the same as, newer than b; both must be versions. */
int cni_compare(const char *a, const char *b);

/* Prints an answer and sees that it is out. ERR_IO. */
bool cni_print(const json_t *answer, FILE *out, struct err *e);

/* VERSION's answer; `about` is what a person gets who runs the program by hand. */
bool cni_print_versions(FILE *out, struct err *e);
void cni_print_about(FILE *out);

/*
 * The error object of section "Error" of the SPEC, for the network's version or the newest. Its msg
 * begins with "pod-dns: NETWORK: " once the call is accepted; before that it is the reference's,
 * which old runtimes compare.
 */
void cni_print_error(FILE *out, const struct call *call, const struct err *e);

void cni_done(struct call *call);

#endif
