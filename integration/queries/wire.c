/* SPDX-License-Identifier: Apache-2.0 */
/*
 * wire.c: what `pod-dnsctl queries` foretells, against what real programs send.
 *
 * Usage: wire POD_DNSCTL LOOKUP_GLIBC LOOKUP_MUSL OLD_MUSL PAIRS SEED, in network and mount
 * namespaces of its own: it serves port 53 there, and writes /etc/resolv.conf. Each pair of a name
 * and a file is looked up by a program of either libc; the queries must be those that pod-dnsctl
 * prints, one by one. OLD_MUSL 1: musl is older than 1.2.4, and odd search lists are not compared.
 */
#include "cases.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static const char *const libcs[] = { "glibc", "musl" };

struct test {
	const char *ctl, *lookup[2];
	bool old_musl;
	struct server server;
	struct pair pair;
	unsigned compared, skipped, queries, differences;
};

static void write_file(const struct pair *p)
{
	FILE *f = fopen("/etc/resolv.conf", "we");

	if (!f || fwrite(p->text, 1, p->len, f) != p->len || fclose(f) != 0) {
		perror("/etc/resolv.conf");
		exit(2);
	}
}

static void look_up(struct test *t, int libc)
{
	pid_t child = fork();

	if (child == 0) {
		if (!freopen("/dev/null", "w", stdout) || !freopen("/dev/null", "w", stderr))
			_exit(126);
		execl(t->lookup[libc], t->lookup[libc], t->pair.name, NULL);
		_exit(127);
	}
	t->server.answers = pair_answer;
	t->server.context = &t->pair;
	(void)server_until(&t->server, child);
}

/*** what was foretold ***/

static void exec_ctl(const struct test *t, int libc)
{
	static const char *const says[] = { [SERVER_FOUND] = "--exists",
					    [SERVER_NODATA] = "--nodata",
					    [SERVER_SERVFAIL] = "--servfail" };
	const char *args[32] = { t->ctl,   "queries",	"--file", "/etc/resolv.conf",
				 "--libc", libcs[libc], "-o",	  "json" };
	const struct pair *p = &t->pair;
	size_t n = 8;

	if (p->nowhere)
		args[n++] = "--nowhere";
	for (size_t i = 0; i < p->n_known; i++) {
		args[n++] = says[p->known[i].answer];
		args[n++] = p->known[i].name;
	}
	args[n++] = "--";
	args[n++] = p->name;
	execv(t->ctl, (char **)args);
	_exit(127);
}

static json_t *foretold(const struct test *t, int libc)
{
	int ends[2], status;
	json_error_t error;
	json_t *said;
	pid_t child;
	FILE *from;

	if (pipe(ends) != 0 || (child = fork()) < 0)
		exit(2);
	if (child == 0) {
		(void)dup2(ends[1], 1);
		(void)close(ends[0]);
		exec_ctl(t, libc);
	}
	(void)close(ends[1]);
	from = fdopen(ends[0], "r");
	said = from ? json_loadf(from, 0, &error) : NULL;
	if (from)
		(void)fclose(from);
	(void)waitpid(child, &status, 0);
	if (!said || status != 0)
		(void)fprintf(stderr, "pod-dnsctl: status %d, %s\n", status, error.text);
	return said;
}

/*** the comparison ***/

static const char *text(const json_t *query, const char *key)
{
	const char *s = json_string_value(json_object_get(query, key));

	return s ? s : "?";
}

static bool is_same(const struct server_query *sent, const json_t *told, bool server)
{
	return strcmp(sent->name, text(told, "name")) == 0 &&
	       strcmp(sent->type == 1 ? "A" : "AAAA", text(told, "type")) == 0 &&
	       (!server || strcmp(sent->server, text(told, "server")) == 0);
}

/* musl repeats what failed by the clock: then each query counts once, on either side. */
static bool was_sent(const struct server *s, size_t i)
{
	for (size_t k = 0; k < i; k++)
		if (strcmp(s->at[k].name, s->at[i].name) == 0 && s->at[k].type == s->at[i].type &&
		    strcmp(s->at[k].server, s->at[i].server) == 0)
			return true;
	return false;
}

static bool was_told(const json_t *queries, size_t i)
{
	for (size_t k = 0; k < i; k++)
		if (json_equal(json_array_get(queries, k), json_array_get(queries, i)))
			return true;
	return false;
}

static bool agrees(const struct test *t, int libc, const json_t *told)
{
	const json_t *queries = json_object_get(told, "queries");
	bool server = !(libc == 0 && t->pair.rotates), once = libc == 1 && t->pair.fails;
	size_t n = 0, all = json_array_size(queries);

	for (size_t i = 0; i < t->server.n; i++) {
		if (once && was_sent(&t->server, i))
			continue;
		while (once && n < all && was_told(queries, n))
			n++;
		if (!is_same(&t->server.at[i], json_array_get(queries, n++), server))
			return false;
	}
	while (once && n < all && was_told(queries, n))
		n++;
	return n == all && json_integer_value(json_object_get(told, "total")) == (json_int_t)all;
}

static void show(const struct test *t, int libc, const json_t *told, uint64_t seed)
{
	const json_t *query;
	size_t i;

	(void)printf("seed %llu: %s %s%s with\n%s", (unsigned long long)seed, libcs[libc],
		     t->pair.name, t->pair.nowhere ? " (nowhere)" : "", t->pair.text);
	for (i = 0; i < t->pair.n_known; i++)
		(void)printf("known: %s %d\n", t->pair.known[i].name, (int)t->pair.known[i].answer);
	(void)printf("  sent:\n");
	for (i = 0; i < t->server.n; i++)
		(void)printf("    %s %u %s\n", t->server.at[i].name, t->server.at[i].type,
			     t->server.at[i].server);
	(void)printf("  foretold:\n");
	json_array_foreach (json_object_get(told, "queries"), i, query)
		(void)printf("    %s %s %s\n", text(query, "name"), text(query, "type"),
			     text(query, "server"));
	(void)fflush(stdout); /* before the next fork */
}

static void compare(struct test *t, int libc, uint64_t seed)
{
	json_t *told;

	if (libc == 1 && t->old_musl && t->pair.odd) {
		t->skipped++;
		return;
	}
	look_up(t, libc);
	told = foretold(t, libc);
	t->compared++;
	t->queries += (unsigned)t->server.n;
	if (!told || !agrees(t, libc, told)) {
		t->differences++;
		show(t, libc, told, seed);
	}
	json_decref(told);
}

int main(int argc, char **argv)
{
	static struct test t;
	uint64_t seed;
	long pairs;

	if (argc != 7) {
		(void)fprintf(
			stderr,
			"usage: wire POD_DNSCTL LOOKUP_GLIBC LOOKUP_MUSL OLD_MUSL PAIRS SEED\n");
		return 2;
	}
	t.ctl = argv[1];
	t.lookup[0] = argv[2];
	t.lookup[1] = argv[3];
	t.old_musl = argv[4][0] == '1';
	pairs = strtol(argv[5], NULL, 10);
	seed = strtoull(argv[6], NULL, 10);
	if (!server_open(&t.server)) {
		perror("port 53");
		return 2;
	}
	for (long i = 0; i < pairs; i++) {
		pair_make(&t.pair, seed + (uint64_t)i);
		write_file(&t.pair);
		for (int libc = 0; libc < 2; libc++)
			compare(&t, libc, seed + (uint64_t)i);
	}
	(void)printf(
		"seed %s: %ld pairs, %u lookups, %u queries, %u not compared, %u differences\n",
		argv[6], pairs, t.compared, t.queries, t.skipped, t.differences);
	return t.differences != 0;
}
