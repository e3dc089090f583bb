/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ctl.h: what a verb of pod-dnsctl is, and what main hands it.
 *
 * A verb is a file that ends in its own description, and a line in verbs.h:
 *
 *	static const struct ctl_option options[] = {
 *		{ .name = "diff", .help = "show the differences from plain kubelet" },
 *		{ .name = "pod", .value = "POD.json", .repeats = true, .help = "…" },
 *		{ 0 },
 *	};
 *
 *	static int render(struct ctl *ctl)
 *	{
 *		bool diff = ctl_flag(ctl, "diff");
 *		…
 *		return done ? CTL_GOOD : ctl_fail(ctl, &err);
 *	}
 *
 *	const struct ctl_verb ctl_verb_render = { .name = "render", …, .run = render };
 *
 * Before a verb runs, main has answered --help, read the options and checked the operands. A verb
 * prints through ctl->out (out.h) only, and returns its exit status. ctl->arena is freed by main.
 */
#ifndef POD_DNSCTL_CTL_H
#define POD_DNSCTL_CTL_H

#include "arena.h"
#include "err.h"

struct ctl;
struct out;
struct warnings;

/* Exit statuses. */
enum { CTL_GOOD, CTL_BAD /* findings, or a failure */, CTL_USAGE };

enum { CTL_MANY = 1 << 20 }; /* max_args: any number */

struct ctl_option {
	const char *name;  /* of --name */
	const char *value; /* what --help calls its value; NULL: it takes none */
	bool repeats;	   /* may be given more than once */
	const char *help;  /* a few words; each further line begins behind a newline */
};

struct ctl_verb {
	const char *name;
	const char *synopsis; /* each way to call it on a line, without the program's name; a line
				 that begins with a blank goes on from the one before */
	const char *summary;  /* one line of pod-dnsctl --help */
	const char *help;     /* paragraphs, in lines of up to 80 columns */
	const struct ctl_option *options; /* the last row is { 0 }; NULL: none */
	int min_args, max_args;		  /* how many operands */
	bool json;			  /* takes -o json */
	bool table;	      /* prints a row a pod: takes -n, --no-headers and -o wide */
	const char *examples; /* two calls, each on a line */
	bool root;	      /* is refused to others than root */
	int (*run)(struct ctl *ctl);
};

/* An option as it was given. */
struct ctl_given {
	const struct ctl_option *option;
	const char *value;
};

struct ctl {
	const struct ctl_verb *verb;
	int n_args; /* the operands */
	char **args;
	bool json;	       /* -o json */
	bool wide, no_headers; /* of a table */
	const char *namespace; /* -n; NULL: all */
	struct out *out, *err;
	struct arena *arena;
	struct ctl_given *given;
	size_t n_given;
};

/* Whether the verb's option was given. The name must be one of its table. */
bool ctl_flag(const struct ctl *ctl, const char *option);

/* Its value, NULL where it was not given; of one that repeats, the first. */
const char *ctl_value(const struct ctl *ctl, const char *option);

/* The value given at place `i` among those of an option that repeats; NULL: there are no more. */
const char *ctl_value_at(const struct ctl *ctl, const char *option, size_t i);

/* Whether a table shows this pod, NAMESPACE/NAME or a container's ID. */
bool ctl_shows(const struct ctl *ctl, const char *pod);

/* "pod-dnsctl: VERB: …" on stderr; returns CTL_BAD. */
int ctl_fail(struct ctl *ctl, const struct err *e);

/* The same for a wrong call, with the way to --help; returns CTL_USAGE. */
int ctl_usage(struct ctl *ctl, const char *fmt, ...) PRINTF(2, 3);

/* A note on stderr. */
void ctl_note(struct ctl *ctl, const char *fmt, ...) PRINTF(2, 3);

/* Each warning as a note. */
void ctl_tell(struct ctl *ctl, const struct warnings *w);

/* Parses the arguments behind the verb's name and runs it, or answers --help. */
int ctl_run(struct ctl *ctl, int argc, char **argv);

/* Prints the text of `pod-dnsctl VERB --help`. */
void ctl_help(const struct ctl_verb *verb, struct out *out);

#endif
