/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as a record: what people see of it holds no control character, and the metrics are
 * lines. */
#include "fuzz.h"

#include <stdlib.h>
#include <string.h>

#include "pod-dnsctl/explain.c"
#include "pod-dnsctl/metrics.c"
#include "pod-dnsctl/inventory/networks.h"
#include "pod-dnsctl/cli/out.h"
#include "text.h"

static void show(const struct view *v, struct arena *arena)
{
	json_auto_t *json = explain_json(v, arena);
	struct out out, err;
	struct ctl ctl = { .out = &out, .err = &err, .arena = arena };
	char *text;
	size_t size;

	out_open(&out, open_memstream(&text, &size));
	err = out;
	explain_show(v, &ctl);
	out_json(&out, json);
	(void)fclose(out.to);
	fuzz_check_visible(text);
	free(text);
}

/* A kernel's word is not asked for: what is steered is left out. */
static void count(const struct view *v, struct arena *arena)
{
	static struct networks networks;
	static struct metrics metrics;
	auto_steer_node_status node = STEER_NODE_STATUS;
	auto_text text = TEXT_UP_TO(16 << 20);
	struct err err = { 0 };

	metrics_begin(&metrics, &networks, arena);
	(void)metrics_add(&metrics, v, &node, &err);
	metrics_add_node(&metrics, &node);
	metrics_render(&text, &metrics);
	metrics_done(&metrics);
	if (!text_ok(&text))
		abort();
	fuzz_check_visible(text.at);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	json_t *document = json_loadb((const char *)data, size, 0, NULL);
	struct arena arena = { 0 };
	struct view view = { .path = "" };

	(void)json_object_del(document, "steering");
	(void)json_object_del(document, "file"); /* no file is looked at */
	(void)json_object_del(document, "targets");
	if (record_parse(&view.record, document, NULL)) {
		view_fill(&view, &arena);
		show(&view, &arena);
		count(&view, &arena);
	} else {
		json_decref(document);
	}
	record_done(&view.record);
	arena_done(&arena);
	return 0;
}
