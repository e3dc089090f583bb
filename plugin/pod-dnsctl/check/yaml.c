/* SPDX-License-Identifier: Apache-2.0 */
/* yaml.c: reads YAML as JSON, over libyaml's events. */
#include "pod-dnsctl/check/yaml.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <yaml.h>

enum { DEPTH_MAX = 64 };

static bool fault_at(const yaml_parser_t *p, const char *why, struct err *e)
{
	return err_set(e, ERR_DECODE, "line %zu: %s", p->mark.line + 1, why);
}

/* The next event, which the caller deletes. */
static bool next_event(yaml_parser_t *p, yaml_event_t *event, struct err *e)
{
	if (yaml_parser_parse(p, event))
		return true;
	return err_set(e, ERR_DECODE, "line %zu: %s", p->problem_mark.line + 1,
		       p->problem ? p->problem : "not YAML");
}

static bool is_one_of(const char *text, const char *const *words)
{
	for (; *words; words++)
		if (strcmp(text, *words) == 0)
			return true;
	return false;
}

/* A plain scalar may be a number or a word; a quoted one is a string. */
static json_t *scalar_of(const yaml_event_t *event)
{
	static const char *const nulls[] = { "", "~", "null", "Null", "NULL", NULL };
	static const char *const yes[] = { "true", "True", "TRUE", NULL };
	static const char *const no[] = { "false", "False", "FALSE", NULL };
	const char *text = (const char *)event->data.scalar.value;
	long long number;
	char *end;

	if (event->data.scalar.style != YAML_PLAIN_SCALAR_STYLE)
		return json_stringn(text, event->data.scalar.length);
	if (is_one_of(text, nulls))
		return json_null();
	if (is_one_of(text, yes) || is_one_of(text, no))
		return json_boolean(is_one_of(text, yes));
	errno = 0;
	number = strtoll(text, &end, 10);
	if (*text && !*end && !errno && strspn(text, "+-0123456789") == strlen(text))
		return json_integer(number);
	return json_stringn(text, event->data.scalar.length);
}

static json_t *read_value(yaml_parser_t *p, yaml_event_t *event, int depth, struct err *e);

static bool read_list(yaml_parser_t *p, json_t *list, int depth, struct err *e)
{
	yaml_event_t event;
	json_t *item;

	while (next_event(p, &event, e)) {
		if (event.type == YAML_SEQUENCE_END_EVENT) {
			yaml_event_delete(&event);
			return true;
		}
		item = read_value(p, &event, depth, e);
		if (!item || json_array_append_new(list, item) != 0)
			return false;
	}
	return false;
}

static bool read_pair(yaml_parser_t *p, json_t *map, yaml_event_t *key_event, int depth,
		      struct err *e)
{
	yaml_event_t event;
	json_t *key = NULL, *value = NULL;
	bool done = false;

	if (key_event->type == YAML_SCALAR_EVENT)
		key = json_string((const char *)key_event->data.scalar.value);
	yaml_event_delete(key_event);
	if (!key)
		return fault_at(p, "a key must be a string", e);
	if (next_event(p, &event, e))
		value = read_value(p, &event, depth, e);
	if (value)
		done = json_object_set_new(map, json_string_value(key), value) == 0;
	json_decref(key);
	return done;
}

static bool read_map(yaml_parser_t *p, json_t *map, int depth, struct err *e)
{
	yaml_event_t event;

	while (next_event(p, &event, e)) {
		if (event.type == YAML_MAPPING_END_EVENT) {
			yaml_event_delete(&event);
			return true;
		}
		if (!read_pair(p, map, &event, depth, e))
			return false;
	}
	return false;
}

/* Deletes the event. */
static json_t *read_value(yaml_parser_t *p, yaml_event_t *event, int depth, struct err *e)
{
	const yaml_event_type_t type = event->type;
	json_t *value = NULL;
	bool done = true;

	if (type == YAML_SCALAR_EVENT)
		value = scalar_of(event);
	else if (type == YAML_SEQUENCE_START_EVENT)
		value = json_array();
	else if (type == YAML_MAPPING_START_EVENT)
		value = json_object();
	yaml_event_delete(event);
	if (!value || depth == DEPTH_MAX) {
		(void)fault_at(p,
			       type == YAML_ALIAS_EVENT ? "an alias is not read"
			       : value			? "nested too deeply"
							: "not a value",
			       e);
		json_decref(value);
		return NULL;
	}
	if (type == YAML_SEQUENCE_START_EVENT)
		done = read_list(p, value, depth + 1, e);
	else if (type == YAML_MAPPING_START_EVENT)
		done = read_map(p, value, depth + 1, e);
	if (done)
		return value;
	json_decref(value);
	return NULL;
}

json_t *yaml_read(const char *text, size_t len, struct err *e)
{
	yaml_parser_t p;
	yaml_event_t event;
	json_t *value = NULL;

	if (!yaml_parser_initialize(&p)) {
		(void)err_set(e, ERR_IO, "out of memory");
		return NULL;
	}
	yaml_parser_set_input_string(&p, (const unsigned char *)text, len);
	while (next_event(&p, &event, e)) {
		if (event.type != YAML_STREAM_START_EVENT &&
		    event.type != YAML_DOCUMENT_START_EVENT) {
			value = read_value(&p, &event, 0, e);
			break;
		}
		yaml_event_delete(&event);
	}
	yaml_parser_delete(&p);
	return value;
}
