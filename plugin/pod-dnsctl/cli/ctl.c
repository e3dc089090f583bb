/* SPDX-License-Identifier: Apache-2.0 */
/* ctl.c: a verb's options, its --help and its messages. */
#include "pod-dnsctl/cli/ctl.h"
#include "pod-dnsctl/cli/out.h"
#include "text.h"
#include "warn.h"

#include <getopt.h>
#include <stdarg.h>
#include <string.h>

enum { OPTIONS_MAX = 24 };

/* The values that getopt_long() returns for the options of every verb; a verb's own begin at OWN.
 */
enum { HELP = 'h', FORMAT = 'o', NAMESPACE = 'n', NO_HEADERS = 255, OWN = 256 };

/*** telling ***/

PRINTF(2, 0)
static void put_note(struct ctl *ctl, const char *fmt, va_list args)
{
	auto_mem char *said = NULL;

	if (vasprintf(&said, fmt, args) < 0)
		said = NULL;
	out_line(ctl->err, "pod-dnsctl: %s: %s", ctl->verb->name, said ? said : "out of memory");
}

int ctl_fail(struct ctl *ctl, const struct err *e)
{
	out_line(ctl->err, "pod-dnsctl: %s: %s", ctl->verb->name, e->text);
	return CTL_BAD;
}

int ctl_usage(struct ctl *ctl, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	put_note(ctl, fmt, args);
	va_end(args);
	out_line(ctl->err, "See: pod-dnsctl %s --help", ctl->verb->name);
	return CTL_USAGE;
}

void ctl_note(struct ctl *ctl, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	put_note(ctl, fmt, args);
	va_end(args);
}

void ctl_tell(struct ctl *ctl, const struct warnings *w)
{
	for (size_t i = 0; i < w->n; i++)
		ctl_note(ctl, "warning: %s", w->at[i].text);
}

/*** --help ***/

static void help_option(struct out *out, const char *option, const char *help)
{
	const int column = 26;
	size_t len = strcspn(help, "\n");

	out_put(out, OUT_PLAIN, "  %-*s", column, option);
	if (strlen(option) > (size_t)column - 2) {
		out_end(out);
		out_put(out, OUT_PLAIN, "  %*s", column, "");
	}
	while (true) {
		out_line(out, "%.*s", (int)len, help);
		help += len;
		if (!*help++)
			return;
		len = strcspn(help, "\n");
		out_put(out, OUT_PLAIN, "  %*s", column, "");
	}
}

static void help_synopsis(struct out *out, const char *forms)
{
	const char *before = "usage:";

	while (*forms) {
		size_t len = strcspn(forms, "\n");

		out_line(out, "%s %s %.*s", before, *forms == ' ' ? "          " : "pod-dnsctl",
			 (int)len, forms);
		before = "      ";
		forms += len + (forms[len] == '\n');
	}
}

void ctl_help(const struct ctl_verb *verb, struct out *out)
{
	help_synopsis(out, verb->synopsis);
	out_end(out);
	out_text(out, verb->help);
	out_end(out);
	for (const struct ctl_option *o = verb->options; o && o->name; o++) {
		char shown[80];

		(void)snprintf(shown, sizeof(shown), "--%s%s%s", o->name, o->value ? " " : "",
			       o->value ? o->value : "");
		help_option(out, shown, o->help);
	}
	if (verb->table) {
		help_option(out, "-n, --namespace NAME", "only the pods of this namespace");
		help_option(out, "--no-headers", "print the rows alone");
		help_option(out, "-o wide", "names are not cut, whatever the terminal's width");
	}
	if (verb->json)
		help_option(out, "-o json", "print JSON");
	help_option(out, "--help", "print this");
	if (!verb->examples)
		return;
	out_text(out, "\nexamples:\n");
	out_text(out, verb->examples);
}

/*** options ***/

/* The verb's options as getopt_long() takes them. */
static void make_options(struct option out[static OPTIONS_MAX + 4], const struct ctl_verb *verb)
{
	size_t n = 0;

	out[n++] = (struct option){ "help", no_argument, NULL, HELP };
	if (verb->table) {
		out[n++] = (struct option){ "namespace", required_argument, NULL, NAMESPACE };
		out[n++] = (struct option){ "no-headers", no_argument, NULL, NO_HEADERS };
	}
	for (const struct ctl_option *o = verb->options; o && o->name && n <= OPTIONS_MAX + 2;
	     o++, n++)
		out[n] = (struct option){ o->name, o->value ? required_argument : no_argument, NULL,
					  OWN + (int)(o - verb->options) };
	out[n] = (struct option){ 0 };
}

static bool was_given(const struct ctl *ctl, const struct ctl_option *option)
{
	for (size_t i = 0; i < ctl->n_given; i++)
		if (ctl->given[i].option == option)
			return true;
	return false;
}

/* 0, or the exit status of a wrong call. */
static int take(struct ctl *ctl, const struct ctl_option *option, const char *value)
{
	if (!option->repeats && was_given(ctl, option))
		return ctl_usage(ctl, "--%s is given twice", option->name);
	ctl->given[ctl->n_given++] = (struct ctl_given){ option, value };
	return 0;
}

static int take_format(struct ctl *ctl, const char *format)
{
	if (ctl->verb->table && strcmp(format, "wide") == 0)
		ctl->wide = true;
	else if (strcmp(format, "json") == 0)
		ctl->json = true;
	else
		return ctl_usage(ctl, "-o %s: only json%s is known", format,
				 ctl->verb->table ? " or wide" : "");
	return 0;
}

/* optopt of getopt_long() holds what it met: a letter, the value of a long option, or 0. */
static int refuse(struct ctl *ctl, int found, const char *word)
{
	if (found == ':')
		return ctl_usage(ctl, "%s needs a value", word);
	if (optopt >= OWN || optopt == HELP)
		return ctl_usage(ctl, "%s: takes no value", word);
	if (optopt)
		return ctl_usage(ctl, "-%c: unknown option", optopt);
	return ctl_usage(ctl, "%s: unknown option", word);
}

/* Reads all options. -1: --help was among them; 0; or the exit status of a wrong call. */
static int parse_options(struct ctl *ctl, int argc, char **argv)
{
	const char *letters = ctl->verb->table ? ":ho:n:" : ctl->verb->json ? ":ho:" : ":h";
	struct option options[OPTIONS_MAX + 4];
	int found, status = 0;

	make_options(options, ctl->verb);
	optind = 0; /* glibc: begin anew */
	opterr = 0;
	while (!status && (found = getopt_long(argc, argv, letters, options, NULL)) != -1) {
		if (found == HELP)
			return -1;
		if (found == FORMAT)
			status = take_format(ctl, optarg);
		else if (found == NAMESPACE)
			ctl->namespace = optarg;
		else if (found == NO_HEADERS)
			ctl->no_headers = true;
		else if (found >= OWN)
			status = take(ctl, &ctl->verb->options[found - OWN], optarg);
		else
			status = refuse(ctl, found, argv[optind - 1]);
	}
	ctl->args = argv + optind;
	ctl->n_args = argc - optind;
	return status;
}

static int check_call(struct ctl *ctl)
{
	const struct ctl_verb *verb = ctl->verb;

	if (ctl->n_args < verb->min_args)
		return ctl_usage(ctl, "an operand is missing");
	if (ctl->n_args > verb->max_args)
		return ctl_usage(ctl, "%s: one operand too many", ctl->args[verb->max_args]);
	if (verb->root && geteuid() != 0) {
		ctl_note(ctl, "must be run as root");
		return CTL_BAD;
	}
	return 0;
}

int ctl_run(struct ctl *ctl, int argc, char **argv)
{
	auto_mem struct ctl_given *given = calloc((size_t)argc + 1, sizeof(*given));
	int status;

	if (!given)
		return ctl_fail(ctl, &(struct err){ .code = ERR_IO, .text = "out of memory" });
	ctl->given = given;
	status = parse_options(ctl, argc, argv);
	if (status < 0) {
		ctl_help(ctl->verb, ctl->out);
		return CTL_GOOD;
	}
	if (!status)
		status = check_call(ctl);
	return status ? status : ctl->verb->run(ctl);
}

bool ctl_shows(const struct ctl *ctl, const char *pod)
{
	size_t len = ctl->namespace ? strlen(ctl->namespace) : 0;

	return !ctl->namespace || (strncmp(pod, ctl->namespace, len) == 0 && pod[len] == '/');
}

const char *ctl_value_at(const struct ctl *ctl, const char *option, size_t i)
{
	for (size_t g = 0; g < ctl->n_given; g++)
		if (strcmp(ctl->given[g].option->name, option) == 0 && i-- == 0)
			return ctl->given[g].value;
	return NULL;
}

const char *ctl_value(const struct ctl *ctl, const char *option)
{
	return ctl_value_at(ctl, option, 0);
}

bool ctl_flag(const struct ctl *ctl, const char *option)
{
	for (size_t g = 0; g < ctl->n_given; g++)
		if (strcmp(ctl->given[g].option->name, option) == 0)
			return true;
	return false;
}
