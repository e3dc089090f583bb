/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Whole calls of the real binary, as folders. A case is a folder tests/golden/TOPIC/NAME; adding a
 *case is adding a folder. What it may hold, all of it optional:
 *
 *	README       what the case shows and the rule it rests on
 *	env          K=V lines over the usual ones (below); a line -K takes K away
 *	stdin        JSON object: its members go over the usual network configuration (below)
 *	stdin.raw    the bytes of stdin instead
 *	files/       a tree that is copied to / before the call (under /run, /etc, /var/lib)
 *	remove       paths that are removed before the call, with what is below them
 *	argv         the program's arguments, a line each: then it is no call of CNI but a hook's,
 *	             whose env and stdin are what the step says and nothing else
 *	container    (any content) a process with a root of its own, /run/container, runs; env
 *	             and stdin know it as $PID
 *	recorded     name of a file in tests/data/calls: call n of it is the env and stdin of step
 *n, its runtime's file is laid when first seen; `stdin` goes over it
 *
 *	error        {"code": 7, "says": ["part", …]}: the call fails so; parts are of msg or
 *	             of details
 *	exit         the status of a hook. No file: 0
 *	dns          ADD prints prevResult with this as `dns` (null: without). No file: prevResult
 *	stdout       JSON that a successful call prints, instead of `dns`
 *	prints       lines, each of which is a part of what the call prints, byte for byte
 *	stderr       a line for each line of stderr, in any order: its parts, separated by *, appear
 *	             there in that order; a line ... lets more follow. No file: no line
 *	files-after/ the files and links that the call changed or made, exactly; a file elsewhere
 *	             than in /run/pod-dns that differs from before and is not here fails the case
 *	absent       paths that are gone, with what was below them; no other file is
 *	record       JSON: members that the record of the attachment has, however deep
 *	present      paths that are there, each with its mode or a dash in front: 0644 /etc/netns
 *
 * A case of several calls has folders 1-ADD, 2-CHECK, …, done in order, each with the same files:
 * its own env and stdin go over the case's. As with libcni, CHECK and DEL get the result of
 * that attachment's ADD as prevResult, unless they say otherwise; GC and STATUS get none.
 *
 * A namespace that CNI_NETNS names below /run/netns is made, unless its name begins with "gone".
 * @N@ in stdin stands for N blanks.
 */
#include <dirent.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "rows.h"
#include "stage.c"
#include "want.c"

static const char usual_env[] = "{'CNI_COMMAND':'ADD','CNI_CONTAINERID':'c1','CNI_IFNAME':'eth0',"
				"'CNI_NETNS':'/run/netns/pod','CNI_PATH':'/opt/cni/bin'}";
static const char usual_stdin[] = "{'cniVersion':'1.1.0','name':'net','type':'pod-dns'}";
static const char usual_result[] =
	"{'interfaces':[{'name':'eth0','sandbox':'/run/netns/pod'}],"
	"'ips':[{'address':'10.1.0.5/16','gateway':'10.1.0.1','interface':0}],"
	"'routes':[{'dst':'0.0.0.0/0'}]}";

struct golden {
	const char *dir;  /* of the case */
	const char *step; /* of the call; the same where the case is one call */
	json_t *env, *in; /* the call */
	json_t *results;  /* of successful ADDs, by attachment */
	json_t *recorded; /* array, or NULL */
	json_t *before;	  /* what the files held, by path */
	char pid[16];	  /* of the container; or empty */
	size_t turn;	  /* of the step, from 0 */
};

/*** the case's files ***/

static const char *path_in(const char *dir, const char *name)
{
	static char ring[4][512];
	static unsigned turn;
	char *out = ring[turn++ % 4];

	(void)snprintf(out, sizeof ring[0], "%s/%s", dir, name);
	return out;
}

static bool has(const char *dir, const char *name)
{
	return access(path_in(dir, name), F_OK) == 0;
}

/* The next line of *TEXT, cut off in place; NULL at the end. Empty lines are none. */
static char *next_line(char **text)
{
	char *line;

	while ((line = strsep(text, "\n")))
		if (*line)
			return line;
	return NULL;
}

static struct blob lines_of(const char *dir, const char *name)
{
	struct blob b;

	(void)blob_read(path_in(dir, name), &b);
	return b;
}

/*** the call ***/

static const char *env_get(const struct golden *g, const char *key)
{
	const char *value = json_string_value(json_object_get(g->env, key));

	return value ? value : "";
}

static bool is_command(const struct golden *g, const char *command)
{
	return strcmp(env_get(g, "CNI_COMMAND"), command) == 0;
}

static void env_over(struct golden *g, const char *dir)
{
	struct blob b = lines_of(dir, "env");
	char *rest = b.data, *line, *equals;

	while (rest && (line = next_line(&rest))) {
		equals = strchr(line, '=');
		if (*line == '-') {
			(void)json_object_del(g->env, line + 1);
		} else if (equals) {
			*equals = '\0';
			(void)json_object_set_new(g->env, line, json_string(equals + 1));
		} else {
			stage_broken("%s/env: %s", dir, line);
		}
	}
	free(b.data);
}

/* The name of a step's folder behind its number is the command. libcni blanks what has no use. */
static void env_of_step(struct golden *g)
{
	static const char *const blanked[] = { "CNI_CONTAINERID", "CNI_NETNS", "CNI_IFNAME" };
	const char *dash = strchr(strrchr(g->step, '/'), '-');

	if (g->step != g->dir && dash)
		(void)json_object_set_new(g->env, "CNI_COMMAND", json_string(dash + 1));
	if (is_command(g, "GC") || is_command(g, "STATUS"))
		for (size_t i = 0; i < LEN(blanked); i++)
			(void)json_object_set_new(g->env, blanked[i], json_string(""));
}

static char *blanks(char *text)
{
	char token[32], *at = text;

	while ((at = strchr(at, '@'))) {
		size_t n = strtoul(at + 1, NULL, 10);
		char *fill;

		(void)snprintf(token, sizeof token, "@%zu@", n);
		if (strncmp(at, token, strlen(token)) != 0) {
			at++;
			continue;
		}
		fill = calloc(n + 1, 1);
		assert_non_null(fill);
		memset(fill, ' ', n);
		text = want_replace(text, token, fill);
		free(fill);
		at = text;
	}
	return text;
}

static void stdin_over(struct golden *g, const char *dir)
{
	struct blob b = lines_of(dir, "stdin");
	json_t *over;

	if (!b.data)
		return;
	over = want_load(b.data = blanks(b.data), path_in(dir, "stdin"));
	assert_int_equal(json_object_update(g->in, over), 0);
	json_decref(over);
	free(b.data);
}

static const char *attachment(const struct golden *g)
{
	static char id[256];

	(void)snprintf(id, sizeof id, "%s@%s", env_get(g, "CNI_CONTAINERID"),
		       env_get(g, "CNI_IFNAME"));
	return id;
}

/* What libcni would hand over: an earlier plugin's result to ADD, the chain's to CHECK and DEL. */
static void add_result(struct golden *g)
{
	json_t *result = json_object_get(g->results, attachment(g));

	if (is_command(g, "GC") || is_command(g, "STATUS") || is_command(g, "VERSION")) {
		(void)json_object_del(g->in, "prevResult");
	} else if (!is_command(g, "ADD") && result) {
		(void)json_object_set(g->in, "prevResult", result);
	} else if (!json_object_get(g->in, "prevResult")) {
		result = want_load(rows_json(usual_result), "usual_result");
		(void)json_object_set(result, "cniVersion", json_object_get(g->in, "cniVersion"));
		(void)json_object_set_new(g->in, "prevResult", result);
	}
}

/* The recorded call that belongs to this step, and the runtime's file as it was then. */
static void take_recorded(struct golden *g)
{
	const json_t *one = json_array_get(g->recorded, g->turn);
	const char *in = json_string_value(json_object_get(one, "stdin"));
	const char *path;
	json_t *text;

	if (!one)
		stage_broken("%s: no such call was recorded", g->step);
	g->env = json_deep_copy(json_object_get(one, "env"));
	g->in = in && *in ? want_load(in, g->step) : json_object();
	json_object_foreach (json_object_get(one, "resolv_conf_at_this_moment"), path, text)
		if (access(path, F_OK) < 0)
			stage_write(path, json_string_value(text), json_string_length(text));
}

static json_t *load_recorded(const char *dir)
{
	struct blob name = lines_of(dir, "recorded"), b;
	char *rest = name.data;
	const char *path;
	json_t *calls;

	if (!rest)
		return NULL;
	path = path_in("tests/data/calls", next_line(&rest));
	if (!blob_read(path, &b))
		stage_broken("read %s", path);
	/* The recording shortened the folders: these are the runtimes' defaults. */
	b.data = want_replace(b.data, "/node/root/", "/var/lib/containerd/");
	b.data = want_replace(b.data, "/node/run/", "/run/containers/storage/");
	b.data = want_replace(b.data, "/node/ns/netns/", "/var/run/netns/");
	calls = want_load(b.data, path);
	free(b.data);
	free(name.data);
	return calls;
}

static int remove_one(const char *path, const struct stat *st UNUSED, int type UNUSED,
		      struct FTW *ftw UNUSED)
{
	if (remove(path) < 0)
		stage_broken("remove %s", path);
	return 0;
}

static void remove_files(const char *dir)
{
	struct blob b = lines_of(dir, "remove");
	char *rest = b.data, *line;

	while (rest && (line = next_line(&rest)))
		if (nftw(line, remove_one, 16, FTW_DEPTH | FTW_PHYS) < 0)
			stage_broken("remove %s", line);
	free(b.data);
}

static void make_netns(const struct golden *g)
{
	const char *path = env_get(g, "CNI_NETNS");

	if (strncmp(path, "/var", 4) == 0)
		path += 4;
	if (strncmp(path, "/run/netns/", 11) == 0 && strncmp(path + 11, "gone", 4) != 0 &&
	    access(path, F_OK) < 0)
		stage_netns(path);
}

/* A hook's: what the case says, and nothing of CNI's. */
static void prepare_hook(struct golden *g)
{
	g->env = json_object();
	g->in = json_object();
	env_over(g, g->step);
	stdin_over(g, g->step);
	if (g->step != g->dir)
		(void)stage_lay(path_in(g->step, "files"));
	remove_files(g->step);
}

static void prepare(struct golden *g)
{
	if (has(g->step, "argv")) {
		prepare_hook(g);
		return;
	}
	if (g->recorded) {
		take_recorded(g);
	} else {
		g->env = want_load(rows_json(usual_env), "usual_env");
		g->in = want_load(rows_json(usual_stdin), "usual_stdin");
		env_of_step(g);
	}
	env_over(g, g->dir);
	stdin_over(g, g->dir);
	if (g->step != g->dir) {
		env_over(g, g->step);
		(void)stage_lay(path_in(g->step, "files"));
	}
	remove_files(g->step);
	add_result(g);
	if (g->step != g->dir)
		stdin_over(g, g->step);
	make_netns(g);
}

static struct blob stdin_bytes(const struct golden *g)
{
	struct blob b = lines_of(g->step, "stdin.raw");

	if (!b.data)
		b.data = json_dumps(g->in, 0);
	b.data = want_replace(blanks(b.data), "$PID", g->pid);
	b.size = strlen(b.data);
	return b;
}

static void run_call(struct golden *g, struct stage_result *r)
{
	char *env[32], *args[8];
	struct blob argv = lines_of(g->step, "argv");
	struct stage_call call = { .env = (const char *const *)env,
				   .in = stdin_bytes(g),
				   .args = (const char *const *)args };
	char *rest = argv.data;
	const char *key;
	json_t *value;
	size_t n = 0;

	json_object_foreach (g->env, key, value) {
		assert_true(n < 31);
		if (asprintf(&env[n], "%s=%s", key, json_string_value(value)) < 0)
			stage_broken("memory");
		env[n] = want_replace(env[n], "$PID", g->pid);
		n++;
	}
	env[n] = args[0] = NULL;
	for (size_t i = 0; rest && i < 7 && (args[i] = next_line(&rest)); i++)
		args[i + 1] = NULL;
	stage_run(&call, r);
	while (n > 0)
		free(env[--n]);
	free(call.in.data);
	free(argv.data);
}

/*** what is wanted of the files ***/

static json_t *seen; /* nftw() hands nothing to its callback */

static int look(const char *path, const struct stat *st UNUSED, int type, struct FTW *ftw UNUSED)
{
	char to[PATH_MAX] = { 0 };
	struct blob b;

	if (strncmp(path, "/run/netns/", 11) == 0)
		return 0;
	if (type == FTW_SL || type == FTW_SLN) {
		to[0] = '>';
		if (readlink(path, to + 1, sizeof to - 2) < 0)
			stage_broken("readlink %s", path);
		(void)json_object_set_new(seen, path, json_string(to));
	} else if (type == FTW_F) {
		(void)blob_read(path, &b);
		(void)json_object_set_new(seen, path, json_stringn_nocheck(b.data, b.size));
		free(b.data);
	}
	return 0;
}

/* Every file and link of TOPS, as text by path; a link as ">TO". */
static json_t *look_at(const char *const tops[])
{
	seen = json_object();
	for (; *tops; tops++)
		if (access(*tops, F_OK) == 0 && nftw(*tops, look, 16, FTW_PHYS) < 0)
			stage_broken("walk %s", *tops);
	return seen;
}

static json_t *look_around(void)
{
	static const char *const tops[] = { "/run",
					    "/etc",
					    "/var/lib/containerd",
					    "/var/lib/nerdctl",
					    "/var/lib/docker",
					    "/var/lib/rancher",
					    NULL };

	return look_at(tops);
}

/* What files-after/ holds, by the path it stands for. */
static json_t *wanted_files(const struct golden *g)
{
	const char *top = path_in(g->step, "files-after");
	const char *const tops[] = { top, NULL };
	json_t *found = look_at(tops), *wanted = json_object();
	const char *path;
	json_t *text;

	json_object_foreach (found, path, text)
		(void)json_object_set(wanted, path + strlen(top), text);
	json_decref(found);
	return wanted;
}

static void check_wanted(json_t *wanted)
{
	const char *path;
	json_t *text, *now;
	struct blob b;

	json_object_foreach (wanted, path, text) {
		bool there = blob_read(path, &b);

		now = there ? json_stringn_nocheck(b.data, b.size) : NULL;
		if (*json_string_value(text) != '>' && !json_equal(now, text))
			fail_msg("%s is %s, wanted %s", path, want_text(now), want_text(text));
		json_decref(now);
		free(b.data);
	}
}

/* Whether `absent` names the path, or a folder above it. */
static bool is_to_go(const struct golden *g, const char *path)
{
	struct blob b = lines_of(g->step, "absent");
	char *rest = b.data;
	const char *line;
	bool named = false;

	while (rest && !named && (line = next_line(&rest))) {
		size_t n = strlen(line);

		named = strncmp(path, line, n) == 0 && (!path[n] || path[n] == '/');
	}
	free(b.data);
	return named;
}

static void check_files(const struct golden *g)
{
	json_t *wanted = wanted_files(g), *now = look_around();
	const char *path;
	json_t *text;

	check_wanted(wanted);
	json_object_foreach (wanted, path, text)
		if (*json_string_value(text) == '>' &&
		    !json_equal(json_object_get(now, path), text))
			fail_msg("%s is %s, wanted a link %s", path,
				 want_text(json_object_get(now, path)), want_text(text));
	json_object_foreach (now, path, text)
		if (strncmp(path, "/run/pod-dns/", 13) != 0 && !json_object_get(wanted, path) &&
		    !json_equal(json_object_get(g->before, path), text))
			fail_msg("%s was %s, now is %s", path,
				 want_text(json_object_get(g->before, path)), want_text(text));
	json_object_foreach (g->before, path, text)
		if (strncmp(path, "/run/pod-dns/", 13) != 0 && access(path, F_OK) < 0 &&
		    !json_object_get(now, path) && !is_to_go(g, path))
			fail_msg("%s is gone", path);
	json_decref(wanted);
	json_decref(now);
}

static void check_paths(const struct golden *g)
{
	struct blob absent = lines_of(g->step, "absent"), present = lines_of(g->step, "present");
	char *rest = absent.data, *line, *path;
	struct stat st;

	while (rest && (line = next_line(&rest)))
		if (lstat(line, &st) == 0)
			fail_msg("%s is still there", line);
	rest = present.data;
	while (rest && (line = next_line(&rest))) {
		unsigned long mode = strtoul(line, NULL, 8);

		path = strchr(line, ' ') + 1;
		if (lstat(path, &st) < 0)
			fail_msg("%s is not there", path);
		if (*line != '-' && (st.st_mode & 07777) != mode)
			fail_msg("%s has the mode %o", path, st.st_mode & 07777);
	}
	free(absent.data);
	free(present.data);
}

static const char *record_of(const struct golden *g)
{
	const char *network = json_string_value(json_object_get(g->in, "name"));
	static char path[512];

	if (has(g->step, "argv")) /* a hook's, which says neither */
		return "/run/pod-dns/net/c1@eth0.json";
	(void)snprintf(path, sizeof path, "/run/pod-dns/%s/%s.json", network ? network : "",
		       attachment(g));
	return path;
}

/* DEL leaves no record, an ADD that failed leaves what was there. */
static void check_no_record(const struct golden *g)
{
	const char *path = record_of(g);
	const char *before = json_string_value(json_object_get(g->before, path));
	struct blob now;

	if (is_command(g, "DEL"))
		before = NULL;
	(void)blob_read(path, &now);
	if (before && !now.data)
		fail_msg("%s is gone", path);
	if (now.data && !before)
		fail_msg("%s is left behind", path);
	if (now.data && before && strcmp(now.data, before) != 0)
		fail_msg("%s was %s, now is %s", path, before, now.data);
	free(now.data);
}

static void check_record(const struct golden *g)
{
	json_t *want, *got;

	if (!has(g->step, "record"))
		return;
	want = want_load_file(path_in(g->step, "record"));
	got = want_load_file(record_of(g));
	if (!want_subset(got, want))
		fail_msg("the record is %s, wanted %s", want_text(got), want_text(want));
	json_decref(want);
	json_decref(got);
}

/*** what is wanted of the outputs ***/

static void check_error(const struct golden *g, const json_t *doc, int exit)
{
	json_t *want = want_load_file(path_in(g->step, "error"));
	const json_t *says = json_object_get(want, "says");

	if (exit != 1 || !want_is_error(doc))
		fail_msg("exit %d, no CNI error object: %s", exit, want_text(doc));
	if (json_object_get(want, "code") &&
	    !json_equal(json_object_get(doc, "code"), json_object_get(want, "code")))
		fail_msg("code %s wanted: %s", want_text(json_object_get(want, "code")),
			 want_text(doc));
	for (size_t i = 0; i < json_array_size(says); i++)
		if (!want_says(doc, json_string_value(json_array_get(says, i))))
			fail_msg("no %s in %s", want_text(json_array_get(says, i)), want_text(doc));
	json_decref(want);
}

static json_t *wanted_result(const struct golden *g)
{
	json_t *result = json_deep_copy(json_object_get(g->in, "prevResult")), *dns;

	(void)json_object_set(result, "cniVersion", json_object_get(g->in, "cniVersion"));
	if (has(g->step, "dns")) {
		dns = want_load_file(path_in(g->step, "dns"));
		(void)json_object_del(result, "dns");
		if (!json_is_null(dns))
			(void)json_object_set(result, "dns", dns);
		json_decref(dns);
	}
	return result;
}

/* An empty list and none say the same. */
static void drop_empty(json_t *dns)
{
	static const char *const lists[] = { "nameservers", "search", "options" };

	for (size_t i = 0; i < LEN(lists); i++)
		if (json_is_array(json_object_get(dns, lists[i])) &&
		    !json_array_size(json_object_get(dns, lists[i])))
			(void)json_object_del(dns, lists[i]);
}

static void check_output(struct golden *g, const json_t *doc, const struct blob *out)
{
	json_t *want;

	if (has(g->step, "stdout"))
		want = want_load_file(path_in(g->step, "stdout"));
	else if (is_command(g, "ADD"))
		want = wanted_result(g);
	else
		want = NULL;
	if (!want && out->size)
		fail_msg("stdout must be empty: %s", out->data);
	if (has(g->step, "dns"))
		drop_empty(json_object_get(doc, "dns"));
	if (want && (!doc || !json_equal(doc, want)))
		fail_msg("stdout is %s, wanted %s", doc ? want_text(doc) : out->data,
			 want_text(want));
	if (is_command(g, "ADD"))
		(void)json_object_set(g->results, attachment(g), (json_t *)(uintptr_t)doc);
	json_decref(want);
}

/* The parts of PATTERN between its asterisks stand in LINE in their order. */
static bool is_line(const char *line, const char *pattern)
{
	char part[512];

	while (line && *pattern) {
		size_t n = strcspn(pattern, "*");

		(void)snprintf(part, sizeof part, "%.*s", (int)n, pattern);
		line = strstr(line, part);
		line = line ? line + strlen(part) : NULL;
		pattern += n + (pattern[n] == '*');
	}
	return line != NULL;
}

static size_t count_lines(const char *text)
{
	size_t n = 0;

	for (; text && *text; text++)
		n += *text == '\n';
	return n;
}

static bool is_told(const char *text, const char *pattern)
{
	char *copy = strdup(text ? text : ""), *rest = copy, *line;
	bool found = false;

	while (!found && (line = next_line(&rest)))
		found = is_line(line, pattern);
	free(copy);
	return found;
}

static void check_stderr(const struct golden *g, const struct stage_result *r)
{
	struct blob b = lines_of(g->step, "stderr");
	char *rest = b.data, *pattern;
	size_t wanted = count_lines(b.data);
	bool more = r->exit != 0;

	while (rest && (pattern = next_line(&rest)))
		if (strcmp(pattern, "...") == 0)
			more = true;
		else if (!is_told(r->err.data, pattern))
			fail_msg("not on stderr: %s\nstderr:\n%s", pattern, r->err.data);
	if (!more && count_lines(r->err.data) != wanted)
		fail_msg("%zu lines wanted on stderr:\n%s", wanted, r->err.data);
	free(b.data);
}

static void check_prints(const struct golden *g, const struct stage_result *r)
{
	struct blob b = lines_of(g->step, "prints");
	char *rest = b.data, *line;

	while (rest && (line = next_line(&rest)))
		if (!r->out.data || !strstr(r->out.data, line))
			fail_msg("no %s in %s", line, r->out.data);
	free(b.data);
}

/* A hook prints nothing: its status says it all. */
static void check_hook(const struct golden *g, const struct stage_result *r)
{
	struct blob b = lines_of(g->step, "exit");

	if (r->exit != (b.data ? atoi(b.data) : 0) || r->out.size)
		fail_msg("exit %d: %s%s", r->exit, r->out.data, r->err.data);
	free(b.data);
}

static void check(struct golden *g, const struct stage_result *r)
{
	json_auto_t *doc = want_one(&r->out);

	if (has(g->step, "argv"))
		check_hook(g, r);
	else if (has(g->step, "error"))
		check_error(g, doc, r->exit);
	else if (r->exit != 0)
		fail_msg("exit %d: %s%s", r->exit, want_text(doc), r->err.data);
	else
		check_output(g, doc, &r->out);
	check_prints(g, r);
	check_stderr(g, r);
	check_files(g);
	check_paths(g);
	check_record(g);
	if (is_command(g, "DEL") || (is_command(g, "ADD") && r->exit != 0))
		check_no_record(g);
}

/*** cases ***/

static void do_step(struct golden *g)
{
	struct stage_result r;

	prepare(g);
	g->before = look_around();
	run_call(g, &r);
	stage_kill_orphans(); /* a late child: the next step is to find what this one left */
	check(g, &r);
	stage_result_done(&r);
	json_decref(g->before);
	json_decref(g->env);
	json_decref(g->in);
}

static int is_step(const struct dirent *d)
{
	return d->d_name[0] >= '0' && d->d_name[0] <= '9';
}

static void start_container(struct golden *g)
{
	if (has(g->dir, "container"))
		(void)snprintf(g->pid, sizeof g->pid, "%d", stage_container("/run/container"));
}

static void runs(void **state)
{
	struct golden g = { .dir = *state, .results = json_object() };
	struct dirent **steps;
	char dir[512];
	int n;

	g.recorded = load_recorded(g.dir);
	(void)stage_lay(path_in(g.dir, "files"));
	start_container(&g);
	n = scandir(g.dir, &steps, is_step, versionsort);
	for (int i = 0; i < n; i++, g.turn++) {
		(void)snprintf(dir, sizeof dir, "%s/%s", g.dir, steps[i]->d_name);
		print_message("           %s\n", steps[i]->d_name);
		g.step = dir;
		do_step(&g);
		free(steps[i]);
	}
	free(steps);
	g.step = g.dir;
	if (n == 0)
		do_step(&g);
	json_decref(g.results);
	json_decref(g.recorded);
}

/* An argument is a pattern of the cases to run. */
int main(int argc, char *argv[])
{
	static const char root[] = "tests/golden/";
	glob_t cases;
	int n = glob("tests/golden/*/*", GLOB_ONLYDIR, NULL, &cases) == 0 ? (int)cases.gl_pathc : 0;
	struct CMUnitTest *tests = calloc((size_t)n + 1, sizeof *tests);
	int failed;

	if (!tests)
		stage_broken("memory");
	for (int i = 0; i < n; i++)
		tests[i] = (struct CMUnitTest){
			.name = cases.gl_pathv[i] + strlen(root),
			.test_func = runs,
			.initial_state = cases.gl_pathv[i],
		};
	if (argc > 1)
		cmocka_set_test_filter(argv[1]);
	failed = run_group("golden", tests, (size_t)n, (struct around){ STAGE });
	free(tests);
	globfree(&cases);
	return failed || n <= 0;
}
