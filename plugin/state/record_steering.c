/* SPDX-License-Identifier: Apache-2.0 */
/* record_steering.c: `steering` of a record as JSON. */
#include "enum_names.h"
#include "state/record_private.h"

static bool read_address(const json_t *v, const struct json_row *row UNUSED, void *out,
			 struct err *e)
{
	return (json_is_string(v) && addr_parse(out, json_string_value(v))) ||
	       json_fault(v, e, "an IP address");
}

static void write_address(struct text *out, const struct json_row *row UNUSED, const void *in)
{
	char text[ADDR_TEXT];

	addr_print(text, in);
	text_print(out, "\"%s\"", text);
}

static const struct json_row features_rows[] = {
	BOOL("dup", struct features, dup),
	BOOL("socket", struct features, socket),
};
static const struct json_table features_table = JSON_TABLE(features_rows, JSON_OPEN);

static const struct json_row postrouting_rows[] = {
	BOOL("ip", struct steering, postrouting[0]),
	BOOL("ip6", struct steering, postrouting[1]),
};
static const struct json_table postrouting_table = JSON_TABLE(postrouting_rows, JSON_OPEN);

static bool has_family(const struct steering *s, bool v6)
{
	for (size_t i = 0; i < s->n; i++)
		if (addr_is_v4(&s->at[i].cluster) != v6)
			return true;
	return false;
}

/* For a family that has pairs. */
static void write_features(struct text *out, const struct json_row *row, const void *in)
{
	const struct steering *s = (const struct steering *)((const char *)in - row->at);

	if (has_family(s, in == &s->features[1]))
		json_write_object(out, row, in);
}

static const struct json_row families_rows[] = {
	JSON_ROW("ip", json_read_object, struct steering, features[0], .write = write_features,
		 .table = &features_table),
	JSON_ROW("ip6", json_read_object, struct steering, features[1], .write = write_features,
		 .table = &features_table),
};
static const struct json_table families_table = JSON_TABLE(families_rows, JSON_OPEN);

static const struct json_row timers_rows[] = {
	UINT("alive", struct steering, alive),
	UINT("grace", struct steering, grace),
	UINT("down", struct steering, down),
	UINT("probes", struct steering, probes),
};
static const struct json_table timers_table = JSON_TABLE(timers_rows, JSON_OPEN);

static const struct json_row pair_rows[] = {
	OWN("cluster", address, struct steer_pair, cluster, .required = true),
	OWN("cache", address, struct steer_pair, cache, .required = true),
	OWN("fallback", address, struct steer_pair, fallback, .required = true),
};
static const struct json_table pair_table = JSON_TABLE(pair_rows, JSON_OPEN);

/* Skips what is not an address, so that the others can be released. */
static bool read_addresses(const json_t *v, const struct json_row *row UNUSED, void *out,
			   struct err *e UNUSED)
{
	struct pod_addrs *list = out;
	json_t *item;
	size_t i;

	json_array_foreach (v, i, item)
		if (list->n < ADDRESSES_MAX && read_address(item, NULL, &list->at[list->n], NULL))
			list->n++;
	return true;
}

static const struct json_row steering_rows[] = {
	WORD("mode", struct record_steering, plan.mode, steer_names),
	BOOL("failOpen", struct record_steering, plan.fail_open),
	BOOL("tcp", struct record_steering, plan.tcp),
	BOOL("servfailFallsBack", struct record_steering, plan.servfail_falls_back),
	OBJECT("postrouting", struct record_steering, plan, postrouting_table),
	OBJECT("features", struct record_steering, plan, families_table, .alias = "rungs"),
	OBJECT("timers", struct record_steering, plan, timers_table),
	LIST("pairs", struct record_steering, plan.n, json_read_object, json_write_object,
	     struct steer_pair, STEERING_PAIRS, .table = &pair_table),
	JSON_ROW("addresses", read_addresses, struct record_steering, pod_addrs,
		 .write = json_write_list, .write_item = write_address,
		 .size = sizeof(struct addr)),
	BOOL("installed", struct record_steering, installed),
};
const struct json_table record_steering_table = JSON_TABLE(steering_rows, JSON_OPEN);

void record_write_steering(struct text *out, const struct json_row *row, const void *in)
{
	if (((const struct record_steering *)in)->plan.mode != STEER_OFF)
		json_write_object(out, row, in);
}
