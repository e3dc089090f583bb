/* SPDX-License-Identifier: Apache-2.0 */
/* record_format.c: a record as JSON: one table for both ways. */
#include "enum_names.h"
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

static void write_hash(struct text *out, const struct json_row *row UNUSED, const void *in)
{
	text_print(out, "\"%016" PRIx64 "\"", *(const uint64_t *)in);
}

/* Absent means unknown. */
static void write_cookie(struct text *out, const struct json_row *row, const void *in)
{
	if (*(const uint64_t *)in)
		write_hash(out, row, in);
}

static bool read_dev(const json_t *v, const struct json_row *row UNUSED, void *out, struct err *e)
{
	*(dev_t *)out = (dev_t)json_integer_value(v);
	return json_is_integer(v) || json_fault(v, e, "an integer");
}

static void write_dev(struct text *out, const struct json_row *row UNUSED, const void *in)
{
	text_print(out, "%jd", (intmax_t) * (const dev_t *)in);
}

static bool read_ino(const json_t *v, const struct json_row *row UNUSED, void *out, struct err *e)
{
	*(ino_t *)out = (ino_t)json_integer_value(v);
	return json_is_integer(v) || json_fault(v, e, "an integer");
}

static void write_ino(struct text *out, const struct json_row *row UNUSED, const void *in)
{
	text_print(out, "%jd", (intmax_t) * (const ino_t *)in);
}

/* Absent means false. */
static void write_true(struct text *out, const struct json_row *row, const void *in)
{
	if (*(const bool *)in)
		json_write_bool(out, row, in);
}

/* enum from; below 0 it is absent. */
static bool read_from(const json_t *v, const struct json_row *row UNUSED, void *out, struct err *e)
{
	int from = json_is_string(v) ? from_named(json_string_value(v)) : -1;

	*(int *)out = from;
	return from >= 0 || json_fault(v, e, "an origin");
}

static void write_from(struct text *out, const struct json_row *row UNUSED, const void *in)
{
	int from = *(const int *)in;
	auto_arena arena = { 0 };

	if (from >= 0)
		json_put_string(out, from_name(&arena, from));
}

/* The names of enum record_late; the first is not written. */
static const char *const late_names[] = { "", "pending", "written", "missed", NULL };

static void write_late(struct text *out, const struct json_row *row, const void *in)
{
	if (*(const int *)in != RECORD_NOT_LATE)
		json_write_word(out, row, in);
}

/*** the lists ***/

static const struct json_row entry_rows[] = {
	TEXT("text", struct resolv_entry, text),
	OWN("from", from, struct resolv_entry, from),
	TEXT("displaced", struct resolv_entry, displaced),
};
static const struct json_table entry_table = JSON_TABLE(entry_rows, JSON_OPEN);

/* `list` is a member of a record's dns: its entries come to the record's arena. */
static bool read_entries(struct resolv_list *list, const json_t *v, const struct json_row *row,
			 struct resolv_entry make(const char *, int), struct err *e)
{
	struct record *record =
		(struct record *)((char *)list - row->at - offsetof(struct record, dns));
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
		resolv_add(list, entry, &record->arena);
	}
	return true;
}

static bool read_words(const json_t *v, const struct json_row *row, void *out, struct err *e)
{
	return read_entries(out, v, row, resolv_word, e);
}

static bool read_options(const json_t *v, const struct json_row *row, void *out, struct err *e)
{
	return read_entries(out, v, row, resolv_option, e);
}

static void write_entries(struct text *out, const struct json_row *row, const void *in)
{
	const struct resolv_list *entries = in;

	json_put_list(out, row, entries->at, entries->n);
}

#define ENTRIES(key, reader, member)                                                   \
	JSON_ROW(key, reader, struct resolv, member, .write = write_entries,           \
		 .write_item = json_write_object, .size = sizeof(struct resolv_entry), \
		 .table = &entry_table)

static const struct json_row dns_rows[] = {
	ENTRIES("nameservers", read_words, nameservers),
	ENTRIES("searches", read_words, searches),
	ENTRIES("options", read_options, options),
};
static const struct json_table dns_table = JSON_TABLE(dns_rows, JSON_OPEN);

static void write_dns(struct text *out, const struct json_row *row, const void *in)
{
	const struct record *record =
		(const struct record *)((const char *)in - offsetof(struct record, dns));

	if (record_has_dns(record))
		json_write_object(out, row, in);
}

/*** the record ***/

static const struct json_row netns_rows[] = {
	TEXT("path", struct record_netns, path, .required = true),
	OWN("dev", dev, struct record_netns, id.dev),
	OWN("ino", ino, struct record_netns, id.ino),
	JSON_ROW("cookie", read_hash, struct record_netns, cookie, .write = write_cookie),
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
	JSON_ROW("policy", enum_names_read_policy, struct record_decision, policy,
		 .write = json_write_word, .words = policy_names),
	OWN("from", from, struct record_decision, from),
};
static const struct json_table decision_table = JSON_TABLE(decision_rows, JSON_OPEN);

static const struct json_row inputs_rows[] = {
	TEXT("finished", struct record_inputs, runtime_dns),
	TEXT("runtimeText", struct record_inputs, runtime_text),
	BOOL("ofNode", struct record_inputs, of_node),
	BOOL("ipv4Only", struct record_inputs, ipv4_only),
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

static void write_dns_config(struct text *out, const struct json_row *row, const void *in)
{
	if (((const struct dns_config *)in)->present)
		json_write_object(out, row, in);
}

static const struct json_row deferred_rows[] = {
	ANY("conf", struct record_deferred, conf),
	TEXT("configFile", struct record_deferred, config_file),
	BOOL("keep", struct record_deferred, keep),
	OWN("dnsConfig", dns_config, struct record_deferred, dns, .table = &dns_config_table),
};
static const struct json_table deferred_table = JSON_TABLE(deferred_rows, JSON_OPEN);

static void write_deferred(struct text *out, const struct json_row *row, const void *in)
{
	if (((const struct record_deferred *)in)->conf)
		json_write_object(out, row, in);
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

/* Which one it is, record_read() has looked at. */
static bool read_version(const json_t *v, const struct json_row *row UNUSED, void *out UNUSED,
			 struct err *e)
{
	return json_is_integer(v) || json_fault(v, e, "an integer");
}

static void write_version(struct text *out, const struct json_row *row UNUSED,
			  const void *in UNUSED)
{
	text_print(out, "%d", RECORD_VERSION);
}

static const struct json_row rows[] = {
	{ .key = "version", .read = read_version, .write = write_version },
	OWN("config", hash, struct record, config),
	TEXT("network", struct record, at.network, .required = true),
	TEXT("containerID", struct record, at.container_id, .required = true),
	TEXT("ifname", struct record, at.ifname, .required = true),
	OBJECT("netns", struct record, netns, netns_table, .required = true),
	OBJECT("pod", struct record, pod, pod_table),
	TEXT("traceparent", struct record, trace),
	JSON_ROW("adopted", json_read_bool, struct record, adopted, .write = write_true),
	JSON_ROW("adopting", json_read_bool, struct record, adopting, .write = write_true),
	JSON_ROW("measured", json_read_bool, struct record, measured, .write = write_true),
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
	arena_done(&record->arena);
}

bool record_parse(struct record *record, json_t *document, struct err *e)
{
	*record = RECORD_BLANK;
	if (json_decode(document, &table, record, e) &&
	    (arena_ok(&record->arena) || err_set(e, ERR_IO, "out of memory"))) {
		record->document = document;
		record->pod.host_network = strcmp(record->at.ifname, RECORD_HOST_IFNAME) == 0;
		return true;
	}
	arena_done(&record->arena);
	return false;
}

void record_print(struct text *out, const struct record *record)
{
	json_encode(out, &table, record);
}

json_t *record_render(const struct record *record)
{
	auto_text text = TEXT_UP_TO(RECORD_MAX);

	record_print(&text, record);
	return text_ok(&text) ? json_loadb(text.at, text.len, 0, NULL) : NULL;
}
