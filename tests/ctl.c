/* SPDX-License-Identifier: Apache-2.0 */
/* ctl.c: runs pod-dnsctl; included by the tests that do so. */
#include "ctl.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { CTL_ARGS = 32 };

static FILE *ctl_file(const char *text)
{
	FILE *f = tmpfile();

	if (!f || fputs(text, f) == EOF || fflush(f) != 0 || fseek(f, 0, SEEK_SET) != 0) {
		fail_msg("a temporary file: %s", strerror(errno));
		abort();
	}
	return f;
}

static char *ctl_read(FILE *f)
{
	long size = fseek(f, 0, SEEK_END) == 0 ? ftell(f) : -1;
	char *text = calloc(1, size < 0 ? 1 : (size_t)size + 1);

	rewind(f);
	if (!text || size < 0 || fread(text, 1, (size_t)size, f) != (size_t)size)
		fail_msg("what pod-dnsctl said cannot be read");
	(void)fclose(f);
	return text;
}

static void ctl_exec(FILE *in, FILE *out, FILE *err, const char *const *args)
{
	const char *argv[CTL_ARGS] = { "pod-dnsctl" }, *program = getenv("POD_DNSCTL");

	for (size_t i = 0; args[i] && i + 2 < CTL_ARGS; i++)
		argv[i + 1] = args[i];
	if (!program || dup2(fileno(in), 0) < 0 || dup2(fileno(out), 1) < 0 ||
	    dup2(fileno(err), 2) < 0)
		_exit(126);
	(void)execv(program, (char *const *)(uintptr_t)argv);
	_exit(127);
}

void ctl_call(struct ctl_result *r, const char *in, const char *const *args)
{
	FILE *files[] = { ctl_file(in), ctl_file(""), ctl_file("") };
	int status = 0;
	pid_t pid;

	assert_non_null(getenv("POD_DNSCTL"));
	pid = fork();
	if (pid == 0)
		ctl_exec(files[0], files[1], files[2], args);
	if (pid < 0 || waitpid(pid, &status, 0) != pid)
		fail_msg("fork: %s", strerror(errno));
	r->exit = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
	(void)fclose(files[0]);
	r->out = ctl_read(files[1]);
	r->err = ctl_read(files[2]);
}

void ctl_result_done(struct ctl_result *r)
{
	free(r->out);
	free(r->err);
}
