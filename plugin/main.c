/* main.c: pod-dns, the plugin: one call of CNI, then the end. */
#include "verbs.h"

#include <fcntl.h>
#include <signal.h>
#include <string.h>

static const struct verb *const verbs[] = {
	&verb_add, &verb_del, &verb_check, &verb_gc, &verb_status, &verb_version,
};

static const struct verb *find(const char *command)
{
	for (size_t i = 0; i < LEN(verbs); i++)
		if (strcmp(verbs[i]->command, command) == 0)
			return verbs[i];
	return NULL;
}

/* A descriptor that the caller closed must not become a file of ours, nor swallow the result. */
static void fill_standard_streams(void)
{
	while (true) {
		int fd = open("/dev/null", O_RDONLY);

		if (fd > STDERR_FILENO)
			(void)close(fd);
		if (fd < 0 || fd > STDERR_FILENO)
			return;
	}
}

static bool serve(struct call *call, struct warnings *w, struct err *e)
{
	const struct verb *verb = find(call->command);

	if (!cni_read_env(call, verb, e))
		return false;
	if (verb && verb->no_stdin)
		return verb->run(call, stdout, w, e);
	if (!cni_read_stdin(call, STDIN_FILENO, e))
		return false;
	if (!verb)
		return err_set(e, ERR_ENV, "unknown CNI_COMMAND: %s", call->command);
	return cni_check_version(call, verb, e) && verb->run(call, stdout, w, e);
}

int main(void)
{
	const char *command = getenv("CNI_COMMAND");
	struct arena arena = { 0 };
	struct warnings warnings = { .arena = &arena };
	struct call call = { .command = command ? command : "" };
	struct err err = { 0 };
	bool done;

	fill_standard_streams();
	/* A reader that is gone is an error of the write: what was done must be undone. */
	(void)signal(SIGPIPE, SIG_IGN);
	if (!*call.command) {
		cni_print_about(stderr);
		return EXIT_SUCCESS;
	}
	done = serve(&call, &warnings, &err);
	for (size_t i = 0; i < warnings.n; i++)
		(void)fprintf(stderr, "pod-dns: warning: %s\n", warnings.at[i].text);
	if (!done)
		cni_print_error(stdout, &call, &err);
	cni_done(&call);
	arena_done(&arena);
	return done ? EXIT_SUCCESS : EXIT_FAILURE;
}
