/* SPDX-License-Identifier: Apache-2.0 */
/* record_format.c: a record as JSON: one table for both ways. */
#include "names.h"
#include "state/record_private.h"

#include <inttypes.h>
#include <string.h>

/*** types that only records have ***/

/* The hash of a configuration: 16 hexadecimal digits. */
static bool read_hash(const json_t *v, const struct json_row *row UNUSED, void *out, struct err *e)
{
	const char *text = json_string_value(v);

	if (!text || strlen(text) != 16 || strspn(text, "0123456789abcdef") != 16)
		return json_fault(v, e, "16 hexadecimal digits");
	*(uint64_t *)out = strtoull(text, NULL, 16);
	return true;
}

static json_t *write_hash(const struct json_row *row UNUSED, const void *in)
{
	return json_sprintf("%016" PRIx64, *(const uint64_t *)in);
}

static bool read_dev(const json_t *v, const struct json_row *row UNUSED, void *out, struct err *e)
{
	*(dev_t *)out = (dev_t)json_integer_value(v);
	return json_is_integer(v) || json_fault(v, e, "an integer");
}

static json_t *write_dev(const struct json_row *row UNUSED, const void *in)
{
	return json_integer((json_int_t) * (const dev_t *)in);
}

static bool read_ino(const json_t *v, const struct json_row *row UNUSED, void *out, struct err *e)
{
	*(ino_t *)out = (ino_t)json_integer_value(v);
	return json_is_integer(v) || json_fault(v, e, "an integer");
}

static json_t *write_ino(const struct json_row *row UNUSED, const void *in)
{
	return json_integer((json_int_t) * (const ino_t *)in);
}

/* enum from; below 0 it is absent. */
static bool read_from(const json_t *v, const struct json_row *row UNUSED, void *out, struct err *e)
{
	int from = json_is_string(v) ? from_named(json_string_value(v)) : -1;

	*(int *)out = from;
	return from >= 0 || json_fault(v, e, "an origin");
}

static json_t *write_from(const struct json_row *row UNUSED, const void *in)
{
	int from = *(const int *)in;
	struct arena arena = { 0 };
	json_t *name = from < 0 ? json_null() : json_string(from_name(&arena, from));

	arena_done(&arena);
	return name;
}

/* The names of enum record_late; the first is not written. */
static const char *const late_names[] = { "", "pending", "written", "missed", NULL };

static json_t *write_late(const struct json_row *row, const void *in)
{
	return *(const int *)in == RECORD_NOT_LATE ? json_null() : json_write_word(row, in);
}

/*** the lists ***/

static const struct json_row entry_rows[] = {
	TEXT("text", struct resolv_entry, text),
	OWN("from", from, struct resolv_entry, from),
	TEXT("displaced", struct resolv_entry, displaced),
};
static const struct json_table entry_table = JSON_TABLE(entry_rows, JSON_OPEN);

static bool read_entries(struct resolv_list *list, const json_t *v,
			 struct resolv_entry make(const char *, int), struct err *e)
{
	json_t *item;
	size_t i;

	if (!json_is_array(v))
		return json_fault(v, e, "a list");
	json_array_foreach (v, i, item) {
		struct resolv_entry read = { .text = "" }, entry;

		if (!json_decode_in(item, &entry_table, &read, e))
			return err_in(e, "[%zu]", i);
		entry = make(read.text, read.from);
		entry.displaced = read.displaced;
		resolv_add(list, entry);
	}
	return true;
}

static bool read_words(const json_t *v, const struct json_row *row UNUSED, void *out, struct err *e)
{
	return read_entries(out, v, resolv_word, e);
}

static bool read_options(const json_t *v, const struct json_row *row UNUSED, void *out,
			 struct err *e)
{
	return read_entries(out, v, resolv_option, e);
}

static json_t *write_entries(const struct json_row *row UNUSED, const void *in)
{
	const struct resolv_list *entries = in;
	json_t *list = json_array();

	for (size_t i = 0; list && i < entries->n; i++)
		if (json_array_append_new(list, json_encode(&entry_table, &entries->at[i])) < 0) {
			json_decref(list);
			list = NULL;
		}
	return list;
}

static const struct json_row dns_rows[] = {
	JSON_ROW("nameservers", read_words, struct resolv, nameservers, .write = write_entries),
	JSON_ROW("searches", read_words, struct resolv, searches, .write = write_entries),
	JSON_ROW("options", read_options, struct resolv, options, .write = write_entries),
};
static const struct json_table dns_table = JSON_TABLE(dns_rows, JSON_OPEN);

static json_t *write_dns(const struct json_row *row, const void *in)
{
	const struct record *record =
		(const struct record *)((const char *)in - offsetof(struct record, dns));

	return record_has_dns(record) ? json_write_object(row, in) : json_null();
}

/*** the record ***/

static const struct json_row netns_rows[] = {
	TEXT("path", struct record_netns, path, .required = true),
	OWN("dev", dev, struct record_netns, id.dev),
	OWN("ino", ino, struct record_netns, id.ino),
};
static const struct json_table netns_table = JSON_TABLE(netns_rows, JSON_OPEN);

static const struct json_row pod_rows[] = {
	TEXT("namespace", struct pod, namespace),
	TEXT("name", struct pod, name),
	TEXT("uid", struct pod, uid),
	BOOL("cri", struct pod, cri),
};
static const struct json_table pod_table = JSON_TABLE(pod_rows, JSON_OPEN);

static const struct json_row decision_rows[] = {
	WORD("state", struct record_decision, state, state_names, .required = true),
	BOOL("unrecognised", struct record_decision, unrecognised),
	JSON_ROW("policy", names_read_policy, struct record_decision, policy,
		 .write = json_write_word, .words = policy_names),
	OWN("from", from, struct record_decision, from),
};
static const struct json_table decision_table = JSON_TABLE(decision_rows, JSON_OPEN);

static const struct json_row inputs_rows[] = {
	TEXT("finished", struct record_inputs, runtime_dns),
	TEXT("runtimeText", struct record_inputs, runtime_text),
	BOOL("ofNode", struct record_inputs, of_node),
	TEXT("dnsPolicy", struct record_inputs, dns_policy),
	TEXT("dnsConfig", struct record_inputs, dns_config),
};
static const struct json_table inputs_table = JSON_TABLE(inputs_rows, JSON_OPEN);

static const struct json_row dns_config_rows[] = {
	ANY("nameservers", struct dns_config, nameservers),
	ANY("searches", struct dns_config, searches),
	ANY("options", struct dns_config, options),
};
static const struct json_table dns_config_table = JSON_TABLE(dns_config_rows, JSON_OPEN);

static bool read_dns_config(const json_t *v, const struct json_row *row, void *out, struct err *e)
{
	((struct dns_config *)out)->present = true;
	return json_read_object(v, row, out, e);
}

static json_t *write_dns_config(const struct json_row *row, const void *in)
{
	return ((const struct dns_config *)in)->present ? json_write_object(row, in) : json_null();
}

static const struct json_row deferred_rows[] = {
	ANY("conf", struct record_deferred, conf),
	TEXT("configFile", struct record_deferred, config_file),
	BOOL("keep", struct record_deferred, keep),
	OWN("dnsConfig", dns_config, struct record_deferred, dns, .table = &dns_config_table),
};
static const struct json_table deferred_table = JSON_TABLE(deferred_rows, JSON_OPEN);

static json_t *write_deferred(const struct json_row *row, const void *in)
{
	const struct record_deferred *deferred = in;

	return deferred->conf ? json_write_object(row, in) : json_null();
}

static const struct json_row warning_rows[] = {
	TEXT("kind", struct warning, kind),
	TEXT("text", struct warning, text),
};
static const struct json_table warning_table = JSON_TABLE(warning_rows, JSON_OPEN);

static const struct json_row target_rows[] = {
	WORD("kind", struct record_target, kind, target_names),
	TEXT("path", struct record_target, path),
	BOOL("taken", struct record_target, taken),
	TEXT("why", struct record_target, why),
};
static const struct json_table target_table = JSON_TABLE(target_rows, JSON_OPEN);

static const struct json_row rows[] = {
	OWN("config", hash, struct record, config),
	TEXT("network", struct record, at.network, .required = true),
	TEXT("containerID", struct record, at.container_id, .required = true),
	TEXT("ifname", struct record, at.ifname, .required = true),
	OBJECT("netns", struct record, netns, netns_table, .required = true),
	OBJECT("pod", struct record, pod, pod_table),
	WORD("mode", struct record, mode, mode_names),
	WORD("steer", struct record, steer, steer_names),
	OBJECT("decision", struct record, decision, decision_table, .required = true),
	OBJECT("inputs", struct record, inputs, inputs_table),
	JSON_ROW("dns", json_read_object, struct record, dns, .write = write_dns, .nullable = true,
		 .table = &dns_table),
	ANY("printed", struct record, printed, .nullable = true),
	TEXT("text", struct record, text),
	LIST("written", struct record, written, json_read_text, json_write_text, const char *,
	     RECORD_WRITTEN),
	TEXT("file", struct record, file),
	JSON_ROW("late", json_read_word, struct record, late, .write = write_late,
		 .words = late_names),
	TEXT("lateWhy", struct record, late_why),
	JSON_ROW("deferred", json_read_object, struct record, deferred, .write = write_deferred,
		 .nullable = true, .table = &deferred_table),
	LIST("warnings", struct record, warnings, json_read_object, json_write_object,
	     struct warning, RECORD_WARNINGS, .table = &warning_table),
	LIST("targets", struct record, targets, json_read_object, json_write_object,
	     struct record_target, TARGETS_MAX, .table = &target_table),
	JSON_ROW("steering", json_read_object, struct record, steering,
		 .write = record_write_steering, .nullable = true, .table = &record_steering_table),
};
static const struct json_table table = JSON_TABLE(rows, JSON_OPEN);

void record_done(struct record *record)
{
	json_decref(record->document);
	record->document = NULL;
}

bool record_parse(struct record *record, json_t *document, struct err *e)
{
	*record = RECORD_BLANK;
	if (!json_decode(document, &table, record, e))
		return false;
	record->document = document;
	return true;
}

json_t *record_render_member(const struct record *record, const char *key)
{
	const struct json_row *row = rows;

	while (row < rows + LEN(rows) - 1 && strcmp(row->key, key) != 0)
		row++;
	return row->write(row, (const char *)record + row->at);
}

json_t *record_render(const struct record *record)
{
	json_t *document = json_pack("{s:i}", "version", RECORD_VERSION);
	json_auto_t *members = json_encode(&table, record);

	if (members && json_object_update(document, members) == 0)
		return document;
	json_decref(document);
	return NULL;
}
