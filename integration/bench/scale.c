/* SPDX-License-Identifier: Apache-2.0 */
/*
 * scale PROGRAM COMMAND FIRST COUNT AT_ONCE: CNI calls for COUNT pods, so many at once.
 *
 * Stdin of each call is the file `in`; in it, and in CNI_CONTAINERID, @ stands for the pod's
 * number, @4 for the last two numbers of its IPv4 address, @6 for the last of its IPv6 address. A
 * COMMAND that begins with a small letter is an argument of PROGRAM instead.
 *
 * Prints: milliseconds of all, the longest call's, processor milliseconds of a call, peak memory in
 * MiB, calls that failed; and how long at most one waited for the lock of the run folder that took
 * it every half millisecond meanwhile.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { MOST = 20000, POLL = 500000 /* ns */ };

struct scale {
	char *program, *command;
	char *in;
	unsigned first, count, at_once;
	double began[MOST], longest, cpu;
	pid_t pids[MOST];
	long peak;
	unsigned failed;
};

static void die(const char *what)
{
	(void)fprintf(stderr, "scale: %s: %s\n", what, strerror(errno));
	exit(2);
}

static double now_ms(void)
{
	struct timespec t;

	(void)clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

static double in_ms(struct timeval t)
{
	return (double)t.tv_sec * 1e3 + (double)t.tv_usec / 1e3;
}

/*** the lock ***/

static volatile sig_atomic_t ended;

static void end(int signal)
{
	(void)signal;
	ended = 1;
}

static void watch(int out)
{
	const struct timespec pause = { .tv_nsec = POLL };
	double longest = 0;

	(void)signal(SIGTERM, end);
	while (!ended) {
		int fd = open("/run/pod-dns/.lock", O_RDWR | O_CLOEXEC);
		double began = now_ms(), waited;

		if (fd >= 0 && flock(fd, LOCK_EX) == 0) {
			waited = now_ms() - began;
			longest = waited > longest ? waited : longest;
		}
		if (fd >= 0)
			(void)close(fd);
		(void)nanosleep(&pause, NULL);
	}
	if (write(out, &longest, sizeof longest) < 0)
		_exit(1);
	_exit(0);
}

static pid_t start_watch(int *in)
{
	int ends[2];
	pid_t pid;

	if (pipe(ends) < 0 || (pid = fork()) < 0)
		die("the watch");
	if (pid == 0)
		watch(ends[1]);
	*in = ends[0];
	return pid;
}

static double end_watch(pid_t pid, int in)
{
	double longest = 0;

	(void)kill(pid, SIGTERM);
	if (read(in, &longest, sizeof longest) < 0 || waitpid(pid, NULL, 0) < 0)
		die("the watch");
	return longest;
}

/*** the calls ***/

static char *read_all(const char *path, size_t *len)
{
	FILE *f = fopen(path, "re");
	char *text = malloc(4 << 20);

	if (!f || !text)
		die(path);
	*len = fread(text, 1, (4 << 20) - 1, f);
	text[*len] = '\0';
	(void)fclose(f);
	return text;
}

static void fill_in(FILE *out, const char *pattern, unsigned pod)
{
	for (; *pattern; pattern++) {
		if (*pattern != '@')
			(void)fputc(*pattern, out);
		else if (pattern[1] == '4')
			(void)fprintf(out, "%u.%u", pod >> 8, pod & 255);
		else if (pattern[1] == '6')
			(void)fprintf(out, "%x", pod);
		else
			(void)fprintf(out, "%u", pod);
		pattern += pattern[0] == '@' && (pattern[1] == '4' || pattern[1] == '6');
	}
}

static void call(const struct scale *s, unsigned pod)
{
	bool plugin = *s->command >= 'A' && *s->command <= 'Z';
	char id[32];
	FILE *in = tmpfile();
	int null = open("/dev/null", O_WRONLY | O_CLOEXEC);

	if (!in || null < 0)
		_exit(2);
	fill_in(in, s->in, pod);
	(void)fflush(in);
	(void)lseek(fileno(in), 0, SEEK_SET);
	(void)snprintf(id, sizeof id, "c%u", pod);
	(void)setenv("CNI_CONTAINERID", id, 1);
	if (plugin)
		(void)setenv("CNI_COMMAND", s->command, 1);
	(void)dup2(fileno(in), STDIN_FILENO);
	(void)dup2(null, STDOUT_FILENO);
	if (!getenv("LOUD"))
		(void)dup2(null, STDERR_FILENO);
	if (plugin)
		(void)execl(s->program, s->program, (char *)NULL);
	else
		(void)execl(s->program, s->program, s->command, (char *)NULL);
	_exit(127);
}

static void start_call(struct scale *s, unsigned i)
{
	s->began[i] = now_ms();
	s->pids[i] = fork();
	if (s->pids[i] < 0)
		die("fork");
	if (s->pids[i] == 0)
		call(s, s->first + i);
}

static void end_call(struct scale *s)
{
	struct rusage usage;
	int status;
	pid_t pid = wait4(-1, &status, 0, &usage);

	for (unsigned i = 0; i < s->count; i++) {
		double took;

		if (s->pids[i] != pid)
			continue;
		took = now_ms() - s->began[i];
		s->longest = took > s->longest ? took : s->longest;
		s->cpu += in_ms(usage.ru_utime) + in_ms(usage.ru_stime);
		s->peak = usage.ru_maxrss > s->peak ? usage.ru_maxrss : s->peak;
		s->failed += status != 0;
	}
}

int main(int argc, char *argv[])
{
	static struct scale s;
	double began, took, waited;
	unsigned started = 0;
	size_t len;
	pid_t watching;
	int in;

	if (argc != 6 || strtoul(argv[4], NULL, 10) > MOST)
		return 2;
	s.program = argv[1];
	s.command = argv[2];
	s.first = (unsigned)strtoul(argv[3], NULL, 10);
	s.count = (unsigned)strtoul(argv[4], NULL, 10);
	s.at_once = (unsigned)strtoul(argv[5], NULL, 10);
	s.in = read_all("in", &len);
	watching = start_watch(&in);
	began = now_ms();
	for (unsigned done = 0; done < s.count; done++) {
		while (started < s.count && started - done < s.at_once)
			start_call(&s, started++);
		end_call(&s);
	}
	took = now_ms() - began;
	waited = end_watch(watching, in);
	(void)printf("%.1f %.1f %.2f %.1f %u %.2f\n", took, s.longest, s.cpu / s.count,
		     (double)s.peak / 1024, s.failed, waited);
	return 0;
}
