/* SPDX-License-Identifier: Apache-2.0 */
#include "fuzz.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "arena.h"
#include "attachment/compute.h"
#include "cni/args.h"
#include "cni/result.h"
#include "config/conf.h"
#include "config/request.h"
#include "pod-dnsctl/cli/ctl.h"
#include "pod-dnsctl/cli/out.h"
#include "policy/policy.h"
#include "text.h"
#include "warn.h"

enum { TEXT_MAX = 64 << 20 };

static const char node_file[] =
	"search node.example\nnameserver 127.0.0.53\nnameserver 192.0.2.53\n"
	"options edns0\n";

char *fuzz_copy(const uint8_t *data, size_t size)
{
	char *text = malloc(size + 1);

	if (!text)
		abort();
	if (size)
		memcpy(text, data, size);
	text[size] = '\0';
	return text;
}

static void check_lines(const char *text)
{
	static const char *const keywords[] = { "search ", "nameserver ", "options " };

	for (const char *end; *text; text = end + 1) {
		size_t known = 0;

		end = strchr(text, '\n');
		if (!end)
			abort();
		for (size_t i = 0; i < LEN(keywords); i++)
			known += strncmp(text, keywords[i], strlen(keywords[i])) == 0;
		if (known != 1)
			abort();
		for (; text < end; text++)
			if ((unsigned char)*text < ' ' || *text == 0x7f)
				abort();
	}
}

void fuzz_check(const struct resolv *r)
{
	auto_arena arena = { 0 };
	struct resolv again;
	auto_text first = TEXT_UP_TO(TEXT_MAX), second = TEXT_UP_TO(TEXT_MAX);
	auto_mem char *copy = NULL;

	resolv_render(&first, r);
	if (!text_ok(&first) || !first.at)
		return;
	check_lines(first.at);
	copy = fuzz_copy((const uint8_t *)first.at, first.len);
	if (resolv_parse(&again, copy, first.len, RESOLV_VERBATIM, 0, &arena) != 0)
		abort();
	resolv_render(&second, &again);
	if (!second.at || strcmp(first.at, second.at) != 0)
		abort();
}

/* All that a call brings; big, and zero at the start of each. */
static struct flow {
	struct arena arena;
	struct warnings warnings;
	struct network_conf network;
	struct args args;
	struct request_sources sources;
	struct node_resolv node_resolv;
	struct compute_input in;
	struct computed computed;
	json_t *prev;
	struct err err;
	char text[sizeof node_file];
} flow;

static bool decode(struct flow *f, const json_t *network, const char *cni_args)
{
	struct conf *conf = &f->network.conf;

	conf_init(conf);
	return conf_decode(conf, network, &f->err) && conf_check(conf, &f->warnings, &f->err) &&
	       args_parse(&f->args, cni_args, &f->arena, &f->err) &&
	       request_pod(&f->in.pod, &f->args, &f->err) &&
	       request_read(&f->in.request, &f->sources, network, &f->args, conf, &f->in.pod,
			    &f->warnings, &f->err);
}

static void bring(struct flow *f, const json_t *network)
{
	struct runtime_dns *runtime = &f->in.runtime_dns;

	if (request_runtime_dns(&runtime->lists, network, &f->arena, &f->err) == CAPABILITY_READ)
		runtime->from = "capability";
	policy_clean(&runtime->lists, "finished", &f->warnings);
	f->prev = result_clean(json_get_nocase(network, "prevResult"), &f->warnings);
	result_dns(&f->in.prev, f->prev, &f->arena);
	memcpy(f->text, node_file, sizeof node_file);
	(void)resolv_parse(&f->node_resolv.lists, f->text, sizeof node_file - 1, RESOLV_NODE,
			   FROM_NODE, &f->arena);
	f->node_resolv.is_read = true;
	f->in.node_resolv = &f->node_resolv;
	f->in.network = &f->network;
	f->in.mode = compute_mode(&f->network, &f->in.pod);
}

void fuzz_call(const json_t *network, const char *cni_args)
{
	memset(&flow, 0, sizeof flow);
	flow.warnings.arena = &flow.arena;
	if (json_is_object(network) && decode(&flow, network, cni_args)) {
		bring(&flow, network);
		if (!flow.err.code && compute(&flow.computed, &flow.in, &flow.warnings, &flow.err))
			fuzz_check(&flow.computed.outcome.resolv);
	}
	json_decref(flow.prev);
	conf_done(&flow.network.conf);
	request_sources_done(&flow.sources);
	arena_done(&flow.arena);
}

void fuzz_check_visible(const char *text)
{
	char *line = strdup(text);

	if (!line)
		abort();
	for (char *at = line; *at; at++)
		if (*at == '\n')
			*at = ' ';
	if (!text_is_utf8(line) || !text_is_line(line))
		abort();
	free(line);
}

void fuzz_file(int fd, const void *bytes, size_t size)
{
	static bool open[256];

	if (!open[fd]) {
		auto_fd new = memfd_create("fuzz", 0);

		open[fd] = dup2(new, fd) == fd;
	}
	if (ftruncate(fd, 0) != 0 || pwrite(fd, bytes, size, 0) != (ssize_t)size)
		abort();
}

/*** verbs of pod-dnsctl ***/

/* One of a verb's two streams, into memory. */
struct printed {
	struct out out;
	char *text;
	size_t size;
};

static void open_printed(struct printed *p)
{
	out_open(&p->out, open_memstream(&p->text, &p->size));
}

static void close_printed(struct printed *p, bool json)
{
	json_auto_t *document = NULL;

	if (!out_ok(&p->out) || fclose(p->out.to) != 0 || strlen(p->text) != p->size)
		abort();
	fuzz_check_visible(p->text);
	if (json && p->size)
		document = json_loads(p->text, JSON_DECODE_ANY, NULL);
	if (json && p->size && !document)
		abort();
}

int fuzz_verb(char **text, const struct ctl_verb *verb, char *const argv[])
{
	struct arena arena = { 0 };
	struct printed out, err;
	struct ctl ctl = { .verb = verb, .out = &out.out, .err = &err.out, .arena = &arena };
	char *words[16]; /* getopt sorts them */
	int argc = 0, status;

	for (; argv[argc]; argc++)
		words[argc] = argv[argc];
	words[argc] = NULL;
	open_printed(&out);
	open_printed(&err);
	status = ctl_run(&ctl, argc, words);
	close_printed(&out, ctl.json);
	close_printed(&err, false);
	free(err.text);
	*text = out.text;
	arena_done(&arena);
	if (status == CTL_USAGE)
		abort();
	return status;
}
