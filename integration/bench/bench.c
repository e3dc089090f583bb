/* SPDX-License-Identifier: Apache-2.0 */
/*
 * bench ROUNDS HOOK DIR…: the time and memory of a CNI ADD, for several plugins in turn, each ADD
 * for a pod that was never seen before.
 *
 * A folder is a plugin: `program` is what is run, `env` its K=V lines, `in` its stdin; `file`,
 * where it is there, names a file that is made before the ADD with the text of `text`. In these, @
 * stands for the pod's name, @4 for the last two numbers of its IPv4 address, @6 for the last of
 * its IPv6 address.
 *
 * A few rounds at a time: `HOOK make NAME…` makes the network namespaces of all their pods; the
 * plugins take turns, an ADD each and nothing in between, so that what disturbs the machine
 * disturbs all; each pod gets its DEL, which is not measured; `HOOK remove NAME…` removes the
 * namespaces.
 *
 * Prints, for each: DIR, median microseconds of ADD, the quartiles and the median of its ratio to
 * the first plugin's ADD of the same round, median microseconds of processor time, peak memory in
 * KiB, ADDs that failed.
 */
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { VARIABLES = 24, LINE = 512, INPUT = 8192, PLUGINS = 16, AT_ONCE = 20 };

struct plugin {
	const char *dir;
	char program[LINE], env[VARIABLES][LINE], file[LINE], text[INPUT], in[INPUT];
	size_t n_env;
	double *us, *ratio, *cpu;
	long peak;
	unsigned failed;
};

struct run {
	const char *hook;
	size_t rounds, n;
	struct plugin plugins[PLUGINS];
};

static void die(const char *what)
{
	(void)fprintf(stderr, "bench: %s: %s\n", what, strerror(errno));
	exit(2);
}

/*** what a plugin is ***/

/* False: there is no such file. */
static bool read_text(const char *dir, const char *name, char *text, size_t size)
{
	char path[LINE];
	FILE *f;

	(void)snprintf(path, sizeof path, "%s/%s", dir, name);
	f = fopen(path, "re");
	if (!f)
		return false;
	text[fread(text, 1, size - 1, f)] = '\0';
	(void)fclose(f);
	return true;
}

static void load(struct plugin *p, const char *dir, size_t rounds)
{
	char env[INPUT];

	p->dir = dir;
	p->us = calloc(rounds, sizeof *p->us);
	p->ratio = calloc(rounds, sizeof *p->ratio);
	p->cpu = calloc(rounds, sizeof *p->cpu);
	if (!p->us || !p->ratio || !p->cpu || !read_text(dir, "program", p->program, LINE) ||
	    !read_text(dir, "env", env, sizeof env) || !read_text(dir, "in", p->in, INPUT))
		die(dir);
	p->program[strcspn(p->program, "\n")] = '\0';
	for (char *line = strtok(env, "\n"); line && p->n_env < VARIABLES - 2;
	     line = strtok(NULL, "\n"))
		(void)snprintf(p->env[p->n_env++], LINE, "%s", line);
	if (read_text(dir, "file", p->file, LINE) && !read_text(dir, "text", p->text, INPUT))
		die("text");
	p->file[strcspn(p->file, "\n")] = '\0';
}

/* PATTERN as it is for the pod of that number. */
static void fill_in(char *out, size_t size, const char *pattern, unsigned pod)
{
	size_t n = 0;

	for (; *pattern && n + 32 < size; pattern++) {
		if (*pattern != '@')
			out[n++] = *pattern;
		else if (pattern[1] == '4')
			n += (size_t)snprintf(out + n, size - n, "%u.%u", pod >> 8, pod & 255);
		else if (pattern[1] == '6')
			n += (size_t)snprintf(out + n, size - n, "%x", pod);
		else
			n += (size_t)snprintf(out + n, size - n, "bench%u", pod);
		pattern += pattern[0] == '@' && (pattern[1] == '4' || pattern[1] == '6');
	}
	out[n] = '\0';
}

static void write_text(const char *path, const char *text)
{
	FILE *f = fopen(path, "we");

	if (!f || fputs(text, f) < 0 || fclose(f) != 0)
		die(path);
}

static void make_file(const struct plugin *p, unsigned pod)
{
	char path[LINE];

	fill_in(path, sizeof path, p->file, pod);
	for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		if (mkdir(path, 0755) < 0 && errno != EEXIST)
			die(path);
		*slash = '/';
	}
	write_text(path, p->text);
}

/*** running it ***/

/* What a call needs: its environment, and its stdin as the file `in.pod`. */
static void prepare(const struct plugin *p, const char *command, unsigned pod,
		    char *env[static VARIABLES])
{
	static char filled[VARIABLES][LINE], in[INPUT];
	size_t n;

	for (n = 0; n < p->n_env; n++) {
		fill_in(filled[n], LINE, p->env[n], pod);
		env[n] = filled[n];
	}
	(void)snprintf(filled[n], LINE, "CNI_COMMAND=%s", command);
	env[n] = filled[n];
	env[n + 1] = NULL;
	fill_in(in, sizeof in, p->in, pod);
	write_text("in.pod", in);
}

static pid_t spawn(const struct plugin *p, char *env[])
{
	char *argv[] = { (char *)(uintptr_t)p->program, NULL };
	posix_spawn_file_actions_t actions;
	pid_t pid;

	if (posix_spawn_file_actions_init(&actions) != 0 ||
	    posix_spawn_file_actions_addopen(&actions, 0, "in.pod", O_RDONLY, 0) != 0 ||
	    posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0) != 0 ||
	    posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0) != 0)
		die("file actions");
	if (posix_spawn(&pid, p->program, &actions, NULL, argv, env) != 0)
		die(p->program);
	(void)posix_spawn_file_actions_destroy(&actions);
	return pid;
}

static double now_us(void)
{
	struct timespec t;

	(void)clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e6 + (double)t.tv_nsec / 1e3;
}

static double in_us(struct timeval t)
{
	return (double)t.tv_sec * 1e6 + (double)t.tv_usec;
}

/* Microseconds from the spawn to the end; cpu: those that it ran. */
static double run_plugin(struct plugin *p, const char *command, unsigned pod, double *cpu)
{
	char *env[VARIABLES];
	struct rusage usage;
	double start, us;
	int status;

	prepare(p, command, pod, env);
	start = now_us();
	if (wait4(spawn(p, env), &status, 0, &usage) < 0)
		die("wait4");
	us = now_us() - start;
	*cpu = in_us(usage.ru_utime) + in_us(usage.ru_stime);
	if (strcmp(command, "ADD") == 0) {
		p->failed += status != 0;
		p->peak = usage.ru_maxrss > p->peak ? usage.ru_maxrss : p->peak;
	}
	return us;
}

/*** a few rounds ***/

static unsigned pod_of(const struct run *r, size_t round, size_t plugin)
{
	return (unsigned)(round * r->n + plugin + 256);
}

static void call_hook(const struct run *r, const char *verb, size_t from, size_t to)
{
	char *argv[2 + AT_ONCE * PLUGINS + 1] = { (char *)(uintptr_t)r->hook,
						  (char *)(uintptr_t)verb };
	static char names[AT_ONCE * PLUGINS][16];
	extern char **environ;
	size_t n = 0;
	int status;
	pid_t pid;

	for (size_t round = from; round < to; round++)
		for (size_t i = 0; i < r->n; i++, n++) {
			(void)snprintf(names[n], sizeof names[n], "%u", pod_of(r, round, i));
			argv[2 + n] = names[n];
		}
	if (posix_spawn(&pid, r->hook, NULL, NULL, argv, environ) != 0 ||
	    waitpid(pid, &status, 0) < 0 || status != 0)
		die(r->hook);
}

/* In an order of its own each round: what one leaves behind meets all others alike. */
static void adds(struct run *r, size_t round)
{
	static unsigned seed = 1;
	size_t order[PLUGINS] = { 0 };

	for (size_t i = 0; i < r->n; i++) {
		const size_t j = (size_t)rand_r(&seed) % (i + 1);

		order[i] = order[j];
		order[j] = i;
	}
	for (size_t turn = 0; turn < r->n; turn++) {
		struct plugin *p = &r->plugins[order[turn]];

		p->us[round] = run_plugin(p, "ADD", pod_of(r, round, order[turn]), &p->cpu[round]);
	}
	for (size_t i = 0; i < r->n; i++)
		r->plugins[i].ratio[round] = r->plugins[i].us[round] / r->plugins[0].us[round];
}

static void some_rounds(struct run *r, size_t from, size_t to)
{
	double ignored;

	call_hook(r, "make", from, to);
	for (size_t round = from; round < to; round++)
		for (size_t i = 0; i < r->n; i++)
			if (*r->plugins[i].file)
				make_file(&r->plugins[i], pod_of(r, round, i));
	for (size_t round = from; round < to; round++)
		adds(r, round);
	for (size_t round = from; round < to; round++)
		for (size_t i = 0; i < r->n; i++)
			(void)run_plugin(&r->plugins[i], "DEL", pod_of(r, round, i), &ignored);
	call_hook(r, "remove", from, to);
}

/*** the outcome ***/

static int compare(const void *a, const void *b)
{
	const double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static void report(struct plugin *p, size_t rounds)
{
	qsort(p->us, rounds, sizeof *p->us, compare);
	qsort(p->cpu, rounds, sizeof *p->cpu, compare);
	qsort(p->ratio, rounds, sizeof *p->ratio, compare);
	(void)printf("%s %.1f %.3f %.3f %.3f %.1f %ld %u\n", p->dir, p->us[rounds / 2],
		     p->ratio[rounds / 4], p->ratio[rounds / 2], p->ratio[rounds * 3 / 4],
		     p->cpu[rounds / 2], p->peak, p->failed);
	free(p->cpu);
	free(p->us);
	free(p->ratio);
}

int main(int argc, char *argv[])
{
	const long rounds = argc > 1 ? strtol(argv[1], NULL, 10) : 0;
	static struct run r;

	if (rounds < 1 || argc < 4 || argc > 3 + PLUGINS) {
		(void)fputs("usage: bench ROUNDS HOOK DIR…\n", stderr);
		return 2;
	}
	r = (struct run){ .hook = argv[2], .n = (size_t)argc - 3, .rounds = (size_t)rounds };
	for (size_t i = 0; i < r.n; i++)
		load(&r.plugins[i], argv[i + 3], r.rounds);
	for (size_t from = 0; from < r.rounds; from += AT_ONCE)
		some_rounds(&r, from, from + AT_ONCE < r.rounds ? from + AT_ONCE : r.rounds);
	for (size_t i = 0; i < r.n; i++)
		report(&r.plugins[i], r.rounds);
	return 0;
}
