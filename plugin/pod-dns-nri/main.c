/* SPDX-License-Identifier: Apache-2.0 */
/* main.c: pod-dns-nri: the runtime tells it of each pod, before a container of the pod starts. */
#include "pod-dns-nri/session.h"
#include "config/netdir.h"
#include "file.h"
#include "json.h"
#include "version.h"

#include <errno.h>
#include <getopt.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <time.h>

/* Milliseconds until the next try to connect: doubled after each that failed. */
enum { RETRY_FIRST = 100, RETRY_MAX = 2000 };
/* Milliseconds until records that were left for later are tried again. */
enum { CATCH_UP_AFTER = 50 };

static volatile sig_atomic_t ends;

static void end(int signal UNUSED)
{
	ends = 1;
}

/* The signals are delivered while the program waits, and only then. */
static sigset_t catch_signals(void)
{
	const struct sigaction action = { .sa_handler = end };
	sigset_t ours, before;

	(void)sigemptyset(&ours);
	(void)sigaddset(&ours, SIGTERM);
	(void)sigaddset(&ours, SIGINT);
	(void)sigprocmask(SIG_BLOCK, &ours, &before);
	(void)sigdelset(&before, SIGTERM);
	(void)sigdelset(&before, SIGINT);
	(void)sigaction(SIGTERM, &action, NULL);
	(void)sigaction(SIGINT, &action, NULL);
	return before;
}

/* Waits for bytes (fd -1: for nothing). Returns whether there are some. */
static bool wait_for(int fd, int ms, const sigset_t *unblocked)
{
	const struct timespec limit = { .tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000L };
	struct pollfd poll_fd = { .fd = fd, .events = POLLIN };

	return ppoll(&poll_fd, 1, &limit, unblocked) > 0;
}

/* Until the connection is over or the program is to end. */
static void serve_session(struct session *s, const sigset_t *unblocked, struct err *e)
{
	const int longest = NRI_LOCK_STAMP_EVERY * 1000;
	int pause = longest;

	while (!ends && nri_lock_keep(s->lock, e)) {
		bool bytes = wait_for(s->fd, pause, unblocked);

		if (bytes && !session_serve(s, e))
			return;
		if (!bytes)
			session_catch_up(s);
		if (!s->behind)
			pause = longest;
		else if (bytes)
			pause = CATCH_UP_AFTER;
		else if (2 * pause < longest)
			pause *= 2;
		if (s->serves)
			nri_lock_stamp(s->lock);
	}
}

/* A reason is printed once, not at each try. */
static void print_reason(char last[static 768], const struct err *e)
{
	if (!e->code || strcmp(last, e->text) == 0)
		return;
	(void)fprintf(stderr, "pod-dns-nri: %s\n", e->text);
	(void)snprintf(last, sizeof(e->text), "%s", e->text);
}

static void run(const char *path, const char *conf_dir, struct nri_lock *lock)
{
	const sigset_t unblocked = catch_signals();
	struct nri_report report = { .runtime = "" };
	int retry = RETRY_FIRST;
	char last[768] = "";

	while (!ends) {
		struct session s = SESSION_NONE;
		struct err e = { 0 };

		s.lock = lock;
		s.conf_dir = conf_dir;
		s.report = &report;
		if (nri_lock_keep(lock, &e) && session_open(&s, path, &e))
			serve_session(&s, &unblocked, &e);
		if (s.serves) {
			retry = RETRY_FIRST;
			*last = '\0';
		}
		session_close(&s);
		print_reason(last, &e);
		if (ends)
			break;
		(void)wait_for(-1, retry, &unblocked);
		retry = 2 * retry < RETRY_MAX ? 2 * retry : RETRY_MAX;
	}
}

static const char about[] =
	"usage: pod-dns-nri [--socket PATH] [--conf-dir DIR]\n"
	"       pod-dns-nri --help | --version\n"
	"\n"
	"Completes the resolv.conf of each pod before the pod's first container starts:\n"
	"a plugin for NRI, beside the CNI plugin pod-dns. See pod-dns-nri(8).\n"
	"\n"
	"  --socket PATH   the runtime's NRI socket (" SESSION_SOCKET ")\n"
	"  --conf-dir DIR  the folder of the runtime's networks\n";

static int mistake(const char *text, const char *what)
{
	(void)fprintf(stderr, "pod-dns-nri: %s%s\n%s", text, what, about);
	return 2;
}

/* `conf_dir` is NULL: that of the runtime's configuration. */
static int run_with(const char *path, const char *conf_dir)
{
	struct nri_lock lock;
	struct netdir node;
	auto_arena arena = { 0 };
	struct err e = { 0 };

	if (!nri_lock_take(&lock, &e)) {
		(void)fprintf(stderr, "pod-dns-nri: %s\n", e.text);
		return EXIT_FAILURE;
	}
	netdir_find(&node, &arena);
	run(path, conf_dir ? conf_dir : node.conf, &lock);
	nri_lock_release(&lock);
	return EXIT_SUCCESS;
}

int main(int argc, char **argv)
{
	static const struct option options[] = {
		{ "socket", required_argument, NULL, 's' },
		{ "conf-dir", required_argument, NULL, 'c' },
		{ "help", no_argument, NULL, 'h' },
		{ "version", no_argument, NULL, 'v' },
		{ 0 },
	};
	const char *path = SESSION_SOCKET, *conf_dir = NULL;
	int option;

	(void)umask(FILE_UMASK);
	(void)signal(SIGPIPE, SIG_IGN);
	json_begin();
	while ((option = getopt_long(argc, argv, "", options, NULL)) >= 0)
		switch (option) {
		case 's':
			path = optarg;
			break;
		case 'c':
			conf_dir = optarg;
			break;
		case 'h':
			return fputs(about, stdout) < 0 ? EXIT_FAILURE : EXIT_SUCCESS;
		case 'v':
			return puts("pod-dns-nri " POD_DNS_VERSION) < 0 ? EXIT_FAILURE
									: EXIT_SUCCESS;
		default:
			return 2;
		}
	if (optind < argc)
		return mistake("unexpected argument: ", argv[optind]);
	if (*path != '/' || strlen(path) >= sizeof(((struct sockaddr_un *)0)->sun_path))
		return mistake("--socket: not an absolute path of at most 107 bytes: ", path);
	if (conf_dir && *conf_dir != '/')
		return mistake("--conf-dir: not an absolute path: ", conf_dir);
	return run_with(path, conf_dir);
}
