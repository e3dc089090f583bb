/* SPDX-License-Identifier: Apache-2.0 */
/* runtime_version.c: the container runtime on this machine, and the newest CNI it knows. */
#include "pod-dnsctl/check/runtime_version.h"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>

enum { PATIENCE = 5000 }; /* ms */

static const struct runtime {
	const char *name;
	unsigned major, minor; /* the first that knows CNI 1.1.0 */
} runtimes[] = {
	{ "containerd", 2, 0 },
	{ "crio", 1, 32 },
};

static const char *const folders[] = { "/usr/bin", "/usr/local/bin", "/usr/sbin", "/usr/local/sbin",
				       "/opt/bin" };

/* Reads the first line, or as much of it as comes in time. */
static void read_first_line(int fd, char *out, size_t room)
{
	struct pollfd wait = { .fd = fd, .events = POLLIN };
	size_t len = 0;
	ssize_t got = 1;

	while (len < room - 1 && !memchr(out, '\n', len) && poll(&wait, 1, PATIENCE) > 0 &&
	       got > 0) {
		got = read(fd, out + len, room - 1 - len);
		len += got > 0 ? (size_t)got : 0;
	}
	out[len] = '\0';
}

static void ask_runtime(const char *path, char *line, size_t room)
{
	char *const args[] = { (char *)path, (char *)"--version", NULL };
	char *const environment[] = { (char *)"PATH=/usr/bin:/bin", NULL };
	posix_spawn_file_actions_t actions;
	int end[2];
	pid_t pid;

	*line = '\0';
	if (pipe(end) < 0)
		return;
	(void)posix_spawn_file_actions_init(&actions);
	(void)posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDWR, 0);
	(void)posix_spawn_file_actions_adddup2(&actions, end[1], STDOUT_FILENO);
	(void)posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_RDWR, 0);
	(void)posix_spawn_file_actions_addclose(&actions, end[0]);
	if (posix_spawn(&pid, path, &actions, NULL, args, environment) == 0) {
		(void)close(end[1]);
		end[1] = -1;
		read_first_line(end[0], line, room);
		(void)kill(pid, SIGKILL); /* its first line is all that is needed */
		(void)waitpid(pid, NULL, 0);
	}
	(void)posix_spawn_file_actions_destroy(&actions);
	(void)close(end[0]);
	if (end[1] >= 0)
		(void)close(end[1]);
}

/* "containerd github.com/containerd/containerd 1.6.20~ds1 …", "containerd … v2.1.4 …", "crio
 * version 1.34.11": the first word that begins like a version. */
static bool parse_runtime_line(struct runtime_version *out, const struct runtime *runtime,
			       char *line)
{
	for (char *word; (word = strsep(&line, " \t\n"));) {
		unsigned major, minor;

		word += *word == 'v';
		if (sscanf(word, "%u.%u.", &major, &minor) != 2)
			continue;
		(void)snprintf(out->version, sizeof(out->version), "%s", word);
		out->name = runtime->name;
		out->cni = major > runtime->major ||
					   (major == runtime->major && minor >= runtime->minor)
				   ? "1.1.0"
				   : "1.0.0";
		return true;
	}
	return false;
}

bool runtime_version_find(struct runtime_version *out)
{
	char path[64], line[256];

	for (size_t i = 0; i < LEN(runtimes); i++)
		for (size_t j = 0; j < LEN(folders); j++) {
			(void)snprintf(path, sizeof(path), "%s/%s", folders[j], runtimes[i].name);
			if (access(path, X_OK) < 0)
				continue;
			ask_runtime(path, line, sizeof(line));
			if (parse_runtime_line(out, &runtimes[i], line))
				return true;
		}
	return false;
}
