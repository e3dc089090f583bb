/* SPDX-License-Identifier: Apache-2.0 */
/* main.c: pod-dns, the plugin: runs one call of CNI or of an OCI runtime. */
#include "pod-dns/hook.h"
#include "steer/steer.h"
#include "config/request.h"
#include "file.h"
#include "json.h"
#include "text.h"
#include "version.h"
#include "pod-dns/verbs.h"

#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>

static const struct verb *const verbs[] = {
	&verb_add, &verb_del, &verb_check, &verb_gc, &verb_status, &verb_version,
};

static const struct verb *find_verb(const char *command)
{
	for (size_t i = 0; i < LEN(verbs); i++)
		if (strcmp(verbs[i]->command, command) == 0)
			return verbs[i];
	return NULL;
}

/* If the caller closed a standard stream, a file of ours must not get its number. */
static void fill_standard_streams(void)
{
	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
		if (fcntl(fd, F_GETFD) < 0)
			(void)open("/dev/null", O_RDONLY); /* the lowest that is free: fd */
}

/* The pod of the call, for warnings; NULL: the caller names none. */
static const char *pod_of(const struct call *call, struct arena *a)
{
	struct args args;
	struct pod pod;

	return args_parse(&args, call->args, a, NULL) && request_pod(&pod, &args, NULL)
		       ? request_pod_shown(&pod, a)
		       : NULL;
}

static bool serve_call(struct call *call, struct warnings *w, struct err *e)
{
	const struct verb *verb = find_verb(call->command);

	if (!cni_read_env(call, verb, e))
		return false;
	if (verb && verb->no_stdin)
		return verb->run(call, stdout, w, e);
	if (!cni_read_stdin(call, STDIN_FILENO, verb && !verb->prints, e))
		return false;
	if (!verb)
		return err_set(e, ERR_ENV, "unknown CNI_COMMAND: %s", call->command);
	if (!cni_check_version(call, verb, e))
		return false;
	call->accepted = true;
	w->pod = pod_of(call, w->arena);
	return verb->run(call, stdout, w, e);
}

static void print_warnings(const struct warnings *w, const char *trace)
{
	for (size_t i = 0; i < w->n; i++)
		(void)fprintf(stderr, "pod-dns: warning: %s%s%s%s%s\n",
			      w->at[i].pod ? w->at[i].pod : "", w->at[i].pod ? ": " : "",
			      w->at[i].text, trace ? " traceparent=" : "", trace ? trace : "");
}

/* Returns the exit status of a CNI plugin. */
static int plugin(struct warnings *w)
{
	const char *command = getenv("CNI_COMMAND");
	struct call call = { .command = command ? command : "" };
	struct err err = { 0 };
	bool done;

	if (!*call.command) {
		cni_print_about(stderr);
		return EXIT_SUCCESS;
	}
	done = serve_call(&call, w, &err);
	print_warnings(w, call.trace);
	if (!done)
		cni_print_error(stdout, &call, &err);
	cni_done(&call);
	steer_end();
	return done ? EXIT_SUCCESS : EXIT_FAILURE;
}

/* A failing hook keeps the container from starting; the runtime shows its stderr. */
static int hook(const char *config, struct warnings *w)
{
	struct err err = { 0 };
	char shown[2 * sizeof(err.text)];
	bool done = config ? hook_run_with_config(STDIN_FILENO, config, w, &err)
			   : hook_run(STDIN_FILENO, w, &err);

	print_warnings(w, NULL);
	text_escape(shown, sizeof(shown), err.text);
	if (!done)
		(void)fprintf(stderr, "pod-dns: hook: %s%s%s\n", w->pod ? w->pod : "",
			      w->pod ? ": " : "", shown);
	return done ? EXIT_SUCCESS : EXIT_FAILURE;
}

/* Prints the usage: to stdout for --help, to stderr after a mistake. */
static int usage(FILE *out)
{
	(void)fputs("usage: pod-dns                      a CNI plugin: called by a runtime\n"
		    "       pod-dns hook                 an OCI createRuntime hook\n"
		    "       pod-dns hook --config FILE   the same for containers without CNI\n"
		    "       pod-dns --help | --version\n",
		    out);
	return out == stderr ? 2 : EXIT_SUCCESS;
}

static int print_version(void)
{
	(void)puts("pod-dns " POD_DNS_VERSION);
	return fflush(stdout) == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

int main(int argc, char **argv)
{
	auto_arena arena = { 0 };
	struct warnings warnings = { .arena = &arena };

	fill_standard_streams();
	(void)umask(FILE_UMASK);
	/* If the reader is gone, write() must fail, so that ADD is undone. */
	(void)signal(SIGPIPE, SIG_IGN);
	json_begin();
	if (argc <= 1)
		return plugin(&warnings);
	if (argc == 2 && strcmp(argv[1], "hook") == 0)
		return hook(NULL, &warnings);
	if (argc == 4 && strcmp(argv[1], "hook") == 0 && strcmp(argv[2], "--config") == 0)
		return hook(argv[3], &warnings);
	if (argc == 2 && strcmp(argv[1], "--version") == 0)
		return print_version();
	return usage(strcmp(argv[1], "--help") == 0 ? stdout : stderr);
}
