#include "fuzz.h"

#include <stdlib.h>
#include <string.h>

#include "cni/args.h"
#include "arena.h"
#include "config/request.h"
#include "config/conf.h"
#include "policy/guard.h"
#include "policy/limits.h"
#include "policy/policy.h"
#include "cni/result.h"
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
	static struct resolv again;
	auto_text first = TEXT_UP_TO(TEXT_MAX), second = TEXT_UP_TO(TEXT_MAX);
	auto_mem char *copy = NULL;

	resolv_render(&first, r);
	if (!text_ok(&first) || !first.at)
		return;
	check_lines(first.at);
	copy = fuzz_copy((const uint8_t *)first.at, first.len);
	if (resolv_parse(&again, copy, first.len, RESOLV_VERBATIM, 0) != 0)
		abort();
	resolv_render(&second, &again);
	if (!second.at || strcmp(first.at, second.at) != 0)
		abort();
}

/* All that a call brings; big, and zero at the start of each. */
static struct flow {
	struct arena arena;
	struct warnings warnings;
	struct conf conf;
	struct args args;
	struct pod pod;
	struct request ask;
	struct request_sources sources;
	struct resolv finished, node, prev, out;
	struct decision decision;
	struct inputs in;
	struct err err;
	char text[sizeof node_file];
} flow;

static bool decode(struct flow *f, const json_t *network, const char *cni_args)
{
	conf_init(&f->conf);
	return conf_decode(&f->conf, network, &f->err) &&
	       conf_check(&f->conf, &f->warnings, &f->err) &&
	       args_parse(&f->args, cni_args, &f->arena, &f->err) &&
	       request_pod(&f->pod, &f->args, &f->err) &&
	       request_read(&f->ask, &f->sources, network, &f->args, &f->conf, &f->pod,
			    &f->warnings, &f->err);
}

static void bring(struct flow *f, const json_t *network)
{
	const bool finished = request_finished(&f->finished, network, &f->err);
	json_t *prev = json_get_nocase(network, "prevResult");

	memcpy(f->text, node_file, sizeof node_file);
	(void)resolv_parse(&f->node, f->text, sizeof node_file - 1, RESOLV_NODE, FROM_NODE);
	result_clean(prev, &f->warnings);
	result_dns(&f->prev, prev);
	policy_clean(&f->finished, "finished", &f->warnings);
	f->in = (struct inputs){
		.conf = &f->conf,
		.pod = &f->pod,
		.ask = &f->ask,
		.finished = finished ? &f->finished : NULL,
		.unsaid = f->pod.cri && !finished,
		.may_wait = true,
		.prev = &f->prev,
		.node = &f->node,
		.arena = &f->arena,
	};
}

static void compute(struct flow *f)
{
	policy_decide(&f->decision, &f->in, &f->warnings);
	if (f->decision.state == PASSED || f->decision.state == PENDING ||
	    !policy_compute(&f->out, &f->decision, &f->in, &f->warnings, &f->err))
		return;
	if (f->decision.state == COMPUTED)
		limits_apply(&f->out, &f->conf.limits, &f->warnings);
	guard(&f->out, (enum guards)f->conf.guards, &f->warnings);
	fuzz_check(&f->out);
}

void fuzz_call(const json_t *network, const char *cni_args)
{
	memset(&flow, 0, sizeof flow);
	flow.warnings.arena = &flow.arena;
	if (json_is_object(network) && decode(&flow, network, cni_args)) {
		bring(&flow, network);
		if (!flow.err.code)
			compute(&flow);
	}
	conf_done(&flow.conf);
	request_sources_done(&flow.sources);
	arena_done(&flow.arena);
}
