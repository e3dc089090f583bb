/* SPDX-License-Identifier: Apache-2.0 */
/*
 * CNI as other people's code speaks it: each vector of vectors/cni.json is a test, run against the
 * real binary with `dnsPolicy: Keep`, which must change nothing anywhere.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "vectors.h"
#include "stage.c"
#include "want.c"

#define NETNS "/run/netns/vector"
#define TYPE  "pod-dns"

/*** the call ***/

static struct blob stdin_of(const json_t *vector)
{
	const json_t *in = json_object_get(vector, "stdin");
	json_t *conf;
	char *text;

	if (json_is_string(in)) {
		text = strdup(json_string_value(in));
		assert_non_null(text);
		return (struct blob){ text, strlen(text) };
	}
	conf = json_deep_copy(in);
	assert_int_equal(json_object_set_new(conf, "dnsPolicy", json_string("Keep")), 0);
	text = json_dumps(conf, 0);
	json_decref(conf);
	return (struct blob){ text, strlen(text) };
}

/* White space after the document is part of no value, and makes it longer than any pipe. */
static void pad(struct blob *in, size_t bytes)
{
	in->data = realloc(in->data, in->size + bytes + 1);
	assert_non_null(in->data);
	for (size_t i = 0; i < bytes; i++)
		in->data[in->size++] = ' ';
	in->data[in->size] = '\0';
}

static enum stdin_mode mode_of(const json_t *vector)
{
	static const char *const names[] = { [STDIN_WHOLE] = "whole",
					     [STDIN_CHUNKED] = "chunked",
					     [STDIN_OPEN] = "open",
					     [STDIN_CLOSED] = "closed",
					     [STDIN_DIR] = "dir" };
	const char *name = json_string_value(json_object_get(vector, "stdin_mode"));

	for (size_t i = 0; name && i < LEN(names); i++)
		if (strcmp(name, names[i]) == 0)
			return (enum stdin_mode)i;
	if (name)
		stage_broken("stdin_mode %s", name);
	return STDIN_WHOLE;
}

static void env_of(const json_t *vector, const char **env, size_t max)
{
	const char *key;
	json_t *value;
	size_t n = 0;

	json_object_foreach (json_object_get(vector, "env"), key, value) {
		char *line;

		assert_true(n + 1 < max);
		if (asprintf(&line, "%s=%s", key, json_string_value(value)) < 0)
			stage_broken("memory");
		env[n++] = line;
	}
	env[n] = NULL;
}

static void call(const json_t *vector, struct stage_result *r)
{
	const char *env[32];
	struct stage_call c = { .env = env, .in = stdin_of(vector), .mode = mode_of(vector) };
	const json_t *padding = json_object_get(vector, "stdin_pad_bytes");

	env_of(vector, env, LEN(env));
	if (padding)
		pad(&c.in, (size_t)json_integer_value(padding));
	stage_run(&c, r);
	for (size_t i = 0; env[i]; i++)
		free((void *)(uintptr_t)env[i]);
	free(c.in.data);
}

/*** what is wanted ***/

static bool is_among(const json_t *value, const json_t *list)
{
	for (size_t i = 0; i < json_array_size(list); i++)
		if (json_equal(value, json_array_get(list, i)))
			return true;
	return false;
}

static void check_exit(const json_t *want, int got)
{
	json_t *exit = json_integer(got);
	const json_t *wanted = json_object_get(want, "exit");
	bool ok = json_is_array(wanted) ? is_among(exit, wanted) : json_equal(exit, wanted);

	json_decref(exit);
	if (!ok)
		fail_msg("exit %d, wanted %s", got, want_text(wanted));
}

static void check_error(const json_t *want, const json_t *doc)
{
	const json_t *code = json_object_get(want, "code");
	const json_t *any = json_object_get(want, "code_any");
	const json_t *got = json_object_get(doc, "code");

	if (!want_is_error(doc))
		fail_msg("no CNI error object: %s", want_text(doc));
	if (json_is_integer(code) && !json_equal(code, got))
		fail_msg("code %s wanted: %s", want_text(code), want_text(doc));
	if (any && !is_among(got, any))
		fail_msg("a code of %s wanted: %s", want_text(any), want_text(doc));
}

/* Only ADD and VERSION have something to print when all went well. */
static bool is_silent(const json_t *vector)
{
	const char *command = json_string_value(want_at(vector, "/env/CNI_COMMAND"));
	const char *result = json_string_value(want_at(vector, "/want/stdout_result"));

	return (result && strcmp(result, "none") == 0) || !command ||
	       (strcmp(command, "ADD") != 0 && strcmp(command, "VERSION") != 0);
}

static void check_lists(const json_t *want, const json_t *doc)
{
	const char *key;
	json_t *value;

	json_object_foreach (json_object_get(want, "stdout_includes"), key, value)
		for (size_t i = 0; i < json_array_size(value); i++)
			if (!is_among(json_array_get(value, i), want_at(doc, key)))
				fail_msg("%s lacks %s: %s", key,
					 want_text(json_array_get(value, i)), want_text(doc));
	json_object_foreach (json_object_get(want, "stdout_one_of"), key, value)
		if (!is_among(want_at(doc, key), value))
			fail_msg("%s is none of %s: %s", key, want_text(value), want_text(doc));
	value = json_object_get(want, "stdout_lacks");
	for (size_t i = 0; i < json_array_size(value); i++)
		if (want_at(doc, json_string_value(json_array_get(value, i))))
			fail_msg("%s is there: %s", json_string_value(json_array_get(value, i)),
				 want_text(doc));
}

static void check_parts(const json_t *want, const json_t *doc, const struct blob *err)
{
	const json_t *parts = json_object_get(want, "msg_has");

	for (size_t i = 0; i < json_array_size(parts); i++)
		if (!want_says(doc, json_string_value(json_array_get(parts, i))))
			fail_msg("no %s in %s", want_text(json_array_get(parts, i)),
				 want_text(doc));
	parts = json_object_get(want, "stderr_has");
	for (size_t i = 0; i < json_array_size(parts); i++)
		if (!err->data || !strstr(err->data, json_string_value(json_array_get(parts, i))))
			fail_msg("no %s on stderr: %s", want_text(json_array_get(parts, i)),
				 err->data);
}

static void check(const json_t *vector, const struct stage_result *r)
{
	const json_t *want = json_object_get(vector, "want");
	json_auto_t *doc = want_one(&r->out);

	check_exit(want, r->exit);
	if (r->exit == 0 && is_silent(vector)) {
		if (r->out.size)
			fail_msg("stdout must be empty: %s", r->out.data);
	} else if (!json_is_object(doc)) {
		fail_msg("stdout is not one object: %s", r->out.data);
	}
	if (r->exit != 0)
		check_error(want, doc);
	if (doc && !want_subset(doc, json_object_get(want, "stdout_has")))
		fail_msg("%s wanted: %s", want_text(json_object_get(want, "stdout_has")),
			 want_text(doc));
	check_lists(want, doc);
	check_parts(want, doc, &r->err);
}

/*
 * `Keep`: no resolver file of any kind is made or changed. Where capability dns brings a finished
 * configuration the pod keeps that, and `ip netns exec` may see it.
 */
static void check_untouched(const json_t *vector)
{
	stage_holds("/etc/resolv.conf", STAGE_NODE_FILE);
	if (!json_is_object(json_object_get(vector, "stdin")) ||
	    want_at(vector, "/stdin/runtimeConfig/dns"))
		return;
	assert_int_not_equal(access("/etc/netns", F_OK), 0);
}

static void runs(void **state)
{
	const json_t *vector = *state;
	json_int_t times = json_integer_value(json_object_get(vector, "repeat"));
	struct stage_result r;

	for (json_int_t i = 0; i < (times ? times : 1); i++) {
		call(vector, &r);
		check(vector, &r);
		stage_result_done(&r);
	}
	check_untouched(vector);
}

static int with_netns(void **state)
{
	int failed = stage_setup(state);

	if (!failed)
		stage_netns(NETNS);
	return failed;
}

/* The vectors, with what they leave to the runner: $NETNS, a namespace, and $TYPE, our name. */
static json_t *load(void)
{
	struct blob b;
	json_t *vectors;

	if (!blob_read("tests/data/vectors/cni.json", &b))
		return NULL;
	b.data = want_replace(want_replace(b.data, "$NETNS", NETNS), "$TYPE", TYPE);
	vectors = json_loads(b.data, 0, NULL);
	free(b.data);
	return vectors;
}

/* An argument is a pattern of the ids to run. */
int main(int argc, char *argv[])
{
	const struct around around = { stage_enter, with_netns, stage_teardown };
	json_auto_t *vectors = load();
	int failed;

	if (argc > 1)
		cmocka_set_test_filter(argv[1]);
	failed = run_vectors("cni vectors", vectors, runs, around);
	return failed;
}
