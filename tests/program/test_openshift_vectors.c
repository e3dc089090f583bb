/* SPDX-License-Identifier: Apache-2.0 */
/*
 * OpenShift's own cases: each vector of vectors/openshift.json is a test. The Corefile that
 * `pod-dnsctl corefile --openshift` prints is taken apart and compared directive by directive.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "vectors.h"
#include "ctl.c"

#include <jansson.h>

/*** a Corefile as the vectors write it ***/

static json_t *words_of(char *line)
{
	json_t *list = json_array();

	for (char *save, *word = strtok_r(line, " ", &save); word;
	     word = strtok_r(NULL, " ", &save))
		(void)json_array_append_new(list, json_string(word));
	return list;
}

/* {name, args} of a line; a block is added to it as it comes. */
static json_t *directive_of(char *line)
{
	json_t *args = words_of(line);
	json_t *name = json_incref(json_array_get(args, 0));

	(void)json_array_remove(args, 0);
	return json_pack("{s:o, s:o}", "name", name, "args", args);
}

/* Where the next line belongs: a list of blocks, or of directives. */
struct parser {
	json_t *blocks, *at[3];
	size_t depth;
	json_t *comment; /* above the next block */
};

static void open_block(struct parser *p, char *line)
{
	json_t *list = json_array(), *block;

	line[strlen(line) - 1] = '\0';
	if (p->depth == 0)
		block = json_pack("{s:O, s:o, s:o}", "server", p->comment, "zones", words_of(line),
				  "directives", list);
	else
		(void)json_object_set_new(block = directive_of(line), "block", list);
	(void)json_array_append_new(p->at[p->depth], block);
	p->at[++p->depth] = list;
	json_decref(p->comment);
	p->comment = json_null();
}

static void parse_line(struct parser *p, char *line)
{
	size_t len = strlen(line += strspn(line, " "));

	while (len && line[len - 1] == ' ')
		line[--len] = '\0';
	if (*line == '#') {
		json_decref(p->comment);
		p->comment = json_string(line + 2);
	} else if (strcmp(line, "}") == 0) {
		assert_true(p->depth > 0);
		p->depth--;
	} else if (len && line[len - 1] == '{') {
		assert_true(p->depth < 2);
		open_block(p, line);
	} else if (len) {
		assert_true(p->depth > 0);
		(void)json_array_append_new(p->at[p->depth], directive_of(line));
	}
}

static json_t *parse(char *corefile)
{
	struct parser p = { .blocks = json_array(), .comment = json_null() };

	p.at[0] = p.blocks;
	for (char *save, *line = strtok_r(corefile, "\n", &save); line;
	     line = strtok_r(NULL, "\n", &save))
		parse_line(&p, line);
	assert_int_equal(p.depth, 0);
	json_decref(p.comment);
	return p.blocks;
}

/*** a vector ***/

static char *joined(const json_t *list)
{
	static char text[1024];

	text[0] = '\0';
	for (size_t i = 0; i < json_array_size(list); i++)
		(void)snprintf(text + strlen(text), sizeof text - strlen(text), "%s%s",
			       i ? "," : "", json_string_value(json_array_get(list, i)));
	return text;
}

static void call(struct ctl_result *r, const json_t *vector)
{
	json_t *object = json_pack("{s:s, s:s, s:O}", "apiVersion", "operator.openshift.io/v1",
				   "kind", "DNS", "spec", json_object_get(vector, "spec"));
	char *in = json_dumps(object, 0), bundles[4][256];
	const char *args[16] = { "corefile", "--openshift", "-" }, *name;
	const json_t *namespaces = json_object_get(vector, "name_resolver_namespaces");
	size_t n = 3, b = 0;
	json_t *revision;

	json_object_foreach (json_object_get(vector, "ca_bundle_revisions"), name, revision) {
		assert_true(b < 4);
		(void)snprintf(bundles[b], sizeof *bundles, "%s=%s", name,
			       json_string_value(revision));
		args[n++] = "--ca-bundle";
		args[n++] = bundles[b++];
	}
	if (namespaces) {
		args[n++] = "--name-resolver-namespaces";
		args[n++] = joined(namespaces);
	}
	ctl_call(r, in, args);
	json_decref(object);
	free(in);
}

/* Of the block for all names, which is the last but one. */
static void check_seconds(const json_t *blocks, const json_t *want)
{
	const json_t *block = json_array_get(blocks, json_array_size(blocks) - 2);
	json_t *directive, *got = NULL;
	size_t i;

	json_array_foreach (json_object_get(block, "directives"), i, directive) {
		const char *name = json_string_value(json_object_get(directive, "name"));
		const char *positive, *negative;

		if (strcmp(name, "cache") != 0)
			continue;
		assert_int_equal(json_unpack(directive, "{s:[s], s:[{s:[s,s]}]}", "args", &positive,
					     "block", "args", &name, &negative),
				 0);
		got = json_pack("{s:i, s:i}", "positive", atoi(positive), "negative",
				atoi(negative));
	}
	assert_true(json_equal(got, want));
	json_decref(got);
}

static void check_blocks(const json_t *got, const json_t *want)
{
	char *a = json_dumps(got, JSON_COMPACT | JSON_SORT_KEYS);
	char *b = json_dumps(want, JSON_COMPACT | JSON_SORT_KEYS);

	assert_string_equal(a, b);
	free(a);
	free(b);
}

static void vector(void **state)
{
	const json_t *v = *state;
	const json_t *error = json_object_get(v, "want_error");
	const json_t *seconds = json_object_get(v, "want_cache_seconds");
	struct ctl_result r;
	json_t *blocks;

	call(&r, v);
	if (error) {
		assert_int_equal(r.exit, 1);
		assert_string_equal(r.out, "");
		assert_non_null(strstr(r.err, json_string_value(error)));
	} else {
		assert_string_equal(r.err, "");
		assert_int_equal(r.exit, 0);
		blocks = parse(r.out);
		if (seconds)
			check_seconds(blocks, seconds);
		else
			check_blocks(blocks, json_object_get(v, "want_directives"));
		json_decref(blocks);
	}
	ctl_result_done(&r);
}

int main(void)
{
	json_t *document = json_load_file("tests/data/vectors/openshift.json", 0, NULL);
	const json_t *vectors = json_object_get(document, "vectors");
	int failed = run_vectors("openshift", vectors, vector, (struct around){ 0 });

	json_decref(document);
	return failed;
}
