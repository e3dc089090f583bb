/* SPDX-License-Identifier: Apache-2.0 */
/* record_steering.c: `steering` of a record as JSON. */
#include "names.h"
#include "state/record_private.h"

static bool read_address(const json_t *v, const struct json_row *row UNUSED, void *out,
			 struct err *e)
{
	return (json_is_string(v) && addr_parse(out, json_string_value(v))) ||
	       json_fault(v, e, "an IP address");
}

static json_t *write_address(const struct json_row *row UNUSED, const void *in)
{
	char text[ADDR_TEXT];

	addr_print(text, in);
	return json_string(text);
}

static const struct json_row features_rows[] = {
	BOOL("dup", struct features, dup),
	BOOL("socket", struct features, socket),
};
static const struct json_table features_table = JSON_TABLE(features_rows, JSON_OPEN);

static const struct json_row families_rows[] = {
	OBJECT("ip", struct steering, features[0], features_table),
	OBJECT("ip6", struct steering, features[1], features_table),
};
static const struct json_table families_table = JSON_TABLE(families_rows, JSON_OPEN);

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

/* Of the families that have pairs. */
static json_t *write_features(const struct json_row *row, const void *in)
{
	json_t *families = json_write_object(row, in);

	for (size_t v6 = 0; v6 < LEN(families_rows); v6++)
		if (!has_family(in, v6))
			(void)json_object_del(families, families_rows[v6].key);
	return families;
}

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

/* Skips what is no address, so that the others can be released. */
static bool read_addresses(const json_t *v, const struct json_row *row UNUSED, void *out,
			   struct err *e UNUSED)
{
	struct addresses *list = out;
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
	JSON_ROW("features", json_read_object, struct record_steering, plan, .alias = "rungs",
		 .write = write_features, .table = &families_table),
	OBJECT("timers", struct record_steering, plan, timers_table),
	LIST("pairs", struct record_steering, plan.n, json_read_object, json_write_object,
	     struct steer_pair, STEERING_PAIRS, .table = &pair_table),
	JSON_ROW("addresses", read_addresses, struct record_steering, addresses,
		 .write = json_write_list, .write_item = write_address,
		 .size = sizeof(struct addr)),
	BOOL("installed", struct record_steering, installed),
};
const struct json_table record_steering_table = JSON_TABLE(steering_rows, JSON_OPEN);

json_t *record_write_steering(const struct json_row *row, const void *in)
{
	const struct record_steering *steering = in;

	return steering->plan.mode == STEER_OFF ? json_null() : json_write_object(row, in);
}
