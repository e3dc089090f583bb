/* SPDX-License-Identifier: Apache-2.0 */
/* explain_show.c: explains an attachment for people. */
#include "pod-dnsctl/explain.h"
#include "pod-dnsctl/columns.h"
#include "pod-dnsctl/out.h"
#include "pod-dnsctl/steered.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const char *text_of(const json_t *object, const char *key)
{
	const char *text = json_string_value(json_object_get(object, key));

	return text ? text : "";
}

/* "rules[1]" stays as it is: `check` uses the same path. */
static const char *origin(const char *from)
{
	static const struct {
		const char *from, *words;
	} known[] = { { "policy", "the policy" },
		      { "node", "the node's file" },
		      { "runtime", "kubelet, or the pod" },
		      { "prevResult", "an earlier plugin" },
		      { "network", "the network's dnsConfig" },
		      { "pod", "the pod's own words" } };

	for (size_t i = 0; i < LEN(known); i++)
		if (strcmp(known[i].from, from) == 0)
			return known[i].words;
	return from;
}

static void show_entry(const json_t *entry, struct out *out)
{
	static const struct {
		const char *list, *word;
	} words[] = { { "searches", "search" },
		      { "nameservers", "nameserver" },
		      { "options", "option" } };
	const json_t *displaced = json_object_get(entry, "displaced"), *old;
	size_t i, k = 0;

	while (k + 1 < LEN(words) && strcmp(words[k].list, text_of(entry, "list")) != 0)
		k++;
	out_put(out, OUT_PLAIN, "  %-10s ", words[k].word);
	out_put(out, OUT_BOLD, "%-36s", text_of(entry, "text"));
	if (strlen(text_of(entry, "text")) > 36) {
		out_end(out);
		out_put(out, OUT_PLAIN, "  %-10s %-36s", "", "");
	}
	out_put(out, OUT_PLAIN, " %s", origin(text_of(entry, "from")));
	json_array_foreach (displaced, i, old) {
		out_end(out);
		out_put(out, OUT_PLAIN, "  %-10s %-36s instead of ", "", "");
		out_put(out, OUT_DIM, "%s", json_string_value(old));
	}
	out_end(out);
}

static void show_target(const json_t *target, struct out *out)
{
	bool taken = json_is_true(json_object_get(target, "taken"));

	out_put(out, OUT_PLAIN, "  %-10s ", text_of(target, "kind"));
	out_put(out, taken ? OUT_GREEN : OUT_PLAIN, taken ? "taken" : "not taken");
	out_end(out);
	if (*text_of(target, "why"))
		columns_wrap(out, OUT_PLAIN, 13, text_of(target, "why"));
	if (*text_of(target, "path"))
		columns_wrap(out, OUT_PLAIN, 13, text_of(target, "path"));
}

static void show_list(const json_t *list, const char *head,
		      void (*show)(const json_t *, struct out *), struct out *out)
{
	const json_t *item;
	size_t i;

	if (!json_array_size(list))
		return;
	out_put(out, OUT_BOLD, "%s", head);
	out_end(out);
	json_array_foreach (list, i, item)
		show(item, out);
}

static void show_warning(const json_t *warning, struct out *out)
{
	out_put(out, OUT_YELLOW, "  %s", text_of(warning, "kind"));
	out_end(out);
	columns_wrap(out, OUT_PLAIN, 4, text_of(warning, "text"));
}

static void show_steering(const struct view *v, struct ctl *ctl)
{
	auto_steered_node node = STEERED_NODE;
	struct steered steered;
	struct err e = { 0 };

	if (strcmp(v->steer, "off") == 0)
		return;
	out_put(ctl->out, OUT_BOLD, "steering (%s)", v->steer);
	out_end(ctl->out);
	if (!steered_read(&steered, v, &node, &e)) {
		out_line(ctl->out, "  %s", e.text);
		return;
	}
	for (size_t i = 0; i < steered.n; i++) {
		const struct steered_pair *p = &steered.at[i];
		char cluster[ADDR_TEXT], cache[ADDR_TEXT];

		addr_print(cluster, &p->pair.cluster);
		addr_print(cache, &p->pair.cache);
		out_line(ctl->out, "  %s -> %s: %s", cluster, cache, steered_names[p->state]);
		if (steered.steering.mode != STEER_NODE)
			out_line(ctl->out,
				 "    %" PRIu64 " queries to the cache (%" PRIu64
				 " answers), %" PRIu64 " to the cluster",
				 p->counts.to_cache, p->counts.answers, p->counts.to_cluster);
	}
}

static void show_title(const struct view *v, struct out *out)
{
	char where[3 * RECORD_NAME];

	out_put(out, OUT_BOLD, "%s", v->pod);
	out_end(out);
	(void)snprintf(where, sizeof(where), "network %s, %s of %s", v->network, v->ifname,
		       v->container_id);
	columns_wrap(out, OUT_PLAIN, 2, where);
	if (v->policy)
		out_line(out, "  %s: policy %s, chosen by %s", v->state, v->policy,
			 !v->by				 ? "nobody"
			 : strcmp(v->by, "network") == 0 ? "the network"
							 : origin(v->by));
	else if (v->unrecognised)
		out_line(out, "  %s: what kubelet wrote does not fit the network's clusterDNS",
			 v->state);
	else if (strcmp(v->state, "left") == 0)
		out_line(out, "  left: the pod chose for itself; the file is the runtime's");
	else
		out_line(out, "  %s", v->state);
	if (strcmp(v->mode, "observe") == 0)
		out_line(out, "  mode observe: nothing of this was written");
}

void explain_show(const struct view *v, struct ctl *ctl)
{
	json_auto_t *all = explain_json(v);
	struct out *out = ctl->out;

	show_title(v, out);
	show_list(json_object_get(all, "entries"), "entries", show_entry, out);
	show_list(json_object_get(all, "targets"), "targets", show_target, out);
	if (v->late)
		out_line(out, "  late       %s", v->late);
	if (json_is_true(json_object_get(all, "drifted"))) {
		out_put(out, OUT_RED, "  the file has changed since, or is gone");
		out_end(out);
	}
	show_steering(v, ctl);
	show_list(json_object_get(all, "warnings"), "warnings", show_warning, out);
}
