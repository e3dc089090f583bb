/* SPDX-License-Identifier: Apache-2.0 */
/* check_schema.c: check --schema: the JSON Schema of our object, from its decode tables. */
#include "config/conf.h"
#include "config/request.h"
#include "json_schema.h"
#include "pod-dnsctl/check/check.h"

static json_t *property_of_protocol(const char *about, json_t *schema)
{
	(void)json_object_set_new(schema, "description", json_string(about));
	return schema;
}

/* The keys of CNI, for editors. Other keys in a network's object belong to others. */
static void add_protocol(json_t *properties)
{
	json_t *yes = json_pack("{s:s}", "type", "boolean");
	json_t *capabilities =
		json_pack("{s:s, s:{s:O, s:O, s:O, s:O}}", "type", "object", "properties", "dns",
			  yes, REQUEST_ANNOTATIONS, yes, "dnsPolicy", yes, "dnsConfig", yes);

	json_decref(yes);
	(void)json_object_set_new(properties, "type",
				  property_of_protocol("The plugin's name: pod-dns.",
						       json_pack("{s:s}", "type", "string")));
	(void)json_object_set_new(properties, "capabilities",
				  property_of_protocol("What the runtime is asked to hand down.",
						       capabilities));
	/* The schema serves a whole conflist too, in which some objects are ours. */
	(void)json_object_set_new(
		properties, "plugins",
		property_of_protocol("The chain of a conflist; pod-dns is its last plugin.",
				     json_pack("{s:s, s:{s:{s:s, s:{s:{s:s}}, s:[s]}, s:{s:s}}}",
					       "type", "array", "items", "if", "type", "object",
					       "properties", "type", "const", "pod-dns", "required",
					       "type", "then", "$ref", "#")));
}

json_t *check_schema(void)
{
	json_auto_t *all = json_object();
	json_t *schema = json_pack("{s:s, s:s, s:s, s:s, s:O}", "$schema",
				   "https://json-schema.org/draft/2020-12/schema", "title",
				   "pod-dns", "description",
				   "The object of the CNI plugin pod-dns in a conflist: "
				   "pod-dns.conf(5).",
				   "type", "object", "properties", all);
	json_t *whole = json_array();

	for (size_t i = 0; conf_tables[i]; i++) {
		json_t *part = json_schema(conf_tables[i]);

		if (!part) {
			json_decref(schema);
			json_decref(whole);
			return NULL;
		}
		(void)json_object_update(all, json_object_get(part, "properties"));
		(void)json_array_extend(whole, json_object_get(part, "allOf"));
		json_decref(part);
	}
	add_protocol(all);
	(void)json_object_set_new(schema, "allOf", whole);
	return schema;
}
