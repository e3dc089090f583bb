/* SPDX-License-Identifier: Apache-2.0 */
/* main.c: pod-dnsctl, for people: finds the verb, runs it, and checks that its output was written.
 */
#include "file.h"
#include "hint.h"
#include "json.h"
#include "pod-dnsctl/cli/out.h"
#include "pod-dnsctl/verbs.h"
#include "version.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>

/* In the order of --help. */
static const struct ctl_verb *const verbs[] = {
	&ctl_verb_render, &ctl_verb_explain,  &ctl_verb_queries,   &ctl_verb_list,
	&ctl_verb_doctor, &ctl_verb_status,   &ctl_verb_health,	   &ctl_verb_metrics,
	&ctl_verb_check,  &ctl_verb_corefile, &ctl_verb_steer,	   &ctl_verb_adopt,
	&ctl_verb_apply,  &ctl_verb_install,  &ctl_verb_uninstall, NULL,
};

static const struct ctl_verb *find_verb(const char *name)
{
	for (const struct ctl_verb *const *v = verbs; *v; v++)
		if (strcmp((*v)->name, name) == 0)
			return *v;
	return NULL;
}

static void print_help(struct out *out)
{
	out_text(out, "usage: pod-dnsctl VERB [OPTION...] [OPERAND...]\n"
		      "       pod-dnsctl --help | --version\n\n");
	for (const struct ctl_verb *const *v = verbs; *v; v++)
		out_line(out, "  %-10s %s", (*v)->name, (*v)->summary);
	out_text(out, "\npod-dnsctl VERB --help says more; so does pod-dnsctl(8).\n");
}

static int run_verb(struct ctl *ctl, int argc, char **argv)
{
	struct hint guess;

	ctl->verb = find_verb(argv[0]);
	if (ctl->verb)
		return ctl_run(ctl, argc, argv);
	guess = HINT(argv[0]);
	for (const struct ctl_verb *const *v = verbs; *v; v++)
		hint_try(&guess, (*v)->name);
	if (guess.best)
		out_line(ctl->err, "pod-dnsctl: %s: no such verb (did you mean %s?)", argv[0],
			 guess.best);
	else
		out_line(ctl->err, "pod-dnsctl: %s: no such verb; see pod-dnsctl --help", argv[0]);
	return CTL_USAGE;
}

static int dispatch(struct ctl *ctl, int argc, char **argv)
{
	if (argc < 2) {
		print_help(ctl->err);
		return CTL_USAGE;
	}
	if ((strcmp(argv[1], "help") == 0 && argc == 2) || strcmp(argv[1], "--help") == 0 ||
	    strcmp(argv[1], "-h") == 0) {
		print_help(ctl->out);
		return CTL_GOOD;
	}
	if (strcmp(argv[1], "help") == 0 && argc == 3 && find_verb(argv[2])) {
		ctl_help(find_verb(argv[2]), ctl->out);
		return CTL_GOOD;
	}
	if (strcmp(argv[1], "--version") == 0 || strcmp(argv[1], "-V") == 0) {
		out_line(ctl->out, "pod-dnsctl " POD_DNS_VERSION);
		return CTL_GOOD;
	}
	return run_verb(ctl, argc - 1, argv + 1);
}

int main(int argc, char **argv)
{
	struct arena arena = { 0 };
	struct out out, err;
	struct ctl ctl = { .out = &out, .err = &err, .arena = &arena };
	int status;

	/* If the reader is gone, a verb must still complete its steps. */
	(void)signal(SIGPIPE, SIG_IGN);
	(void)umask(FILE_UMASK);
	json_begin();
	out_open(&out, stdout);
	out_open(&err, stderr);
	status = dispatch(&ctl, argc, argv);
	if (!out_ok(&out)) {
		if (out.failed != EPIPE)
			out_line(&err, "pod-dnsctl: stdout: %s", strerror(out.failed));
		status = CTL_BAD;
	}
	arena_done(&arena);
	return status;
}
