/*
 * bench ROUNDS DIR…: the time and memory of a CNI ADD, for several plugins in turn.
 *
 * A folder is a plugin: `program` is what is run, `env` its K=V lines, `in` its stdin; `file`,
 * where it is there, names a file that is made before each ADD with the text of `text`. ID stands
 * for the container, a fresh one each round. Every ADD is followed by a DEL that is not measured.
 * The plugins take turns, so that what disturbs the machine disturbs all.
 *
 * Prints, for each: DIR, median microseconds of ADD, peak memory in KiB, ADDs that failed.
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

enum { VARIABLES = 24, LINE = 512, PLUGINS = 16, WARM_UP = 3 };

struct plugin {
	const char *dir;
	char program[LINE], env[VARIABLES][LINE], file[LINE], text[4096];
	size_t n_env;
	double *us;
	long peak;
	unsigned failed;
};

static void die(const char *what)
{
	(void)fprintf(stderr, "bench: %s: %s\n", what, strerror(errno));
	exit(2);
}

static FILE *open_in(const char *dir, const char *name)
{
	char path[LINE];

	(void)snprintf(path, sizeof path, "%s/%s", dir, name);
	return fopen(path, "re");
}

/* The file's first line; false: there is no such file. */
static bool first_line(const char *dir, const char *name, char line[static LINE])
{
	FILE *f = open_in(dir, name);
	bool got = f && fgets(line, LINE, f);

	if (f)
		(void)fclose(f);
	if (got)
		line[strcspn(line, "\n")] = '\0';
	return got;
}

static void load(struct plugin *p, const char *dir, size_t rounds)
{
	FILE *f = open_in(dir, "env");

	p->dir = dir;
	p->us = calloc(rounds, sizeof *p->us);
	if (!p->us || !first_line(dir, "program", p->program) || !f)
		die(dir);
	while (p->n_env < VARIABLES - 2 && fgets(p->env[p->n_env], LINE, f))
		p->env[p->n_env++][LINE - 1] = '\0';
	for (size_t i = 0; i < p->n_env; i++)
		p->env[i][strcspn(p->env[i], "\n")] = '\0';
	(void)fclose(f);
	if (!first_line(dir, "file", p->file))
		return;
	f = open_in(dir, "text");
	if (!f || fread(p->text, 1, sizeof p->text - 1, f) == 0)
		die("text");
	(void)fclose(f);
}

/* PATTERN with each @ as the container's name. */
static void fill_in(char out[static LINE], const char *pattern, const char *id)
{
	size_t n = 0;

	for (; *pattern && n < LINE - 80; pattern++) {
		if (*pattern == '@')
			n += (size_t)snprintf(out + n, LINE - n, "%s", id);
		else
			out[n++] = *pattern;
	}
	out[n] = '\0';
}

static void make_file(const struct plugin *p, const char *id)
{
	char path[LINE];
	FILE *f;

	fill_in(path, p->file, id);
	for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		if (mkdir(path, 0755) < 0 && errno != EEXIST)
			die(path);
		*slash = '/';
	}
	f = fopen(path, "we");
	if (!f || fputs(p->text, f) < 0 || fclose(f) != 0)
		die(path);
}

static pid_t spawn(const struct plugin *p, const char *command, const char *id)
{
	static char filled[VARIABLES][LINE];
	char *env[VARIABLES + 1], *argv[] = { (char *)(uintptr_t)p->program, NULL }, in[LINE];
	posix_spawn_file_actions_t actions;
	pid_t pid;
	size_t n;

	for (n = 0; n < p->n_env; n++) {
		fill_in(filled[n], p->env[n], id);
		env[n] = filled[n];
	}
	(void)snprintf(filled[n], LINE, "CNI_COMMAND=%s", command);
	env[n] = filled[n];
	env[n + 1] = NULL;
	(void)snprintf(in, sizeof in, "%s/in", p->dir);
	if (posix_spawn_file_actions_init(&actions) != 0 ||
	    posix_spawn_file_actions_addopen(&actions, 0, in, O_RDONLY, 0) != 0 ||
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

/* Microseconds from the spawn to the end. */
static double run(struct plugin *p, const char *command, const char *id)
{
	const double start = now_us();
	const pid_t pid = spawn(p, command, id);
	struct rusage usage;
	int status;

	if (wait4(pid, &status, 0, &usage) < 0)
		die("wait4");
	if (strcmp(command, "ADD") != 0)
		return 0;
	p->failed += status != 0;
	p->peak = usage.ru_maxrss > p->peak ? usage.ru_maxrss : p->peak;
	return now_us() - start;
}

static void one_round(struct plugin *p, long round)
{
	char id[80];
	double us;

	(void)snprintf(id, sizeof id, "bench%ldx%d", round + WARM_UP, (int)getpid());
	if (*p->file)
		make_file(p, id);
	us = run(p, "ADD", id);
	(void)run(p, "DEL", id);
	if (round >= 0)
		p->us[round] = us;
}

static int compare(const void *a, const void *b)
{
	const double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

int main(int argc, char *argv[])
{
	const long rounds = argc > 1 ? strtol(argv[1], NULL, 10) : 0;
	const int n = argc - 2;
	static struct plugin plugins[PLUGINS];

	if (rounds < 1 || n < 1 || n > PLUGINS) {
		(void)fputs("usage: bench ROUNDS DIR…\n", stderr);
		return 2;
	}
	for (int i = 0; i < n; i++)
		load(&plugins[i], argv[i + 2], (size_t)rounds);
	for (long round = -WARM_UP; round < rounds; round++)
		for (int i = 0; i < n; i++)
			one_round(&plugins[i], round);
	for (int i = 0; i < n; i++) {
		struct plugin *p = &plugins[i];

		qsort(p->us, (size_t)rounds, sizeof *p->us, compare);
		(void)printf("%s %.1f %ld %u\n", p->dir, p->us[rounds / 2], p->peak, p->failed);
		free(p->us);
	}
	return 0;
}
