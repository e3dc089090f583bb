/* SPDX-License-Identifier: Apache-2.0 */
/* dnsconfig.c: dnsConfig as an operator or a pod writes it (KEP-504's PodDNSConfig). */
#include "config/dnsconfig.h"
#include "arena.h"
#include "dnsname.h"
#include "text.h"

#include <string.h>

/* For the JSON Schema: as much of text_is_word() and dnsname_is_search() as a pattern can say. */
#define WORD_PATTERN   "^[^\\u0000-\\u0020\\u007f-\\u00a0]"
#define LABEL_PATTERN  "_?[a-z0-9]([-_a-z0-9]*[a-z0-9])?"
#define SEARCH_PATTERN "^([.]|" LABEL_PATTERN "([.]" LABEL_PATTERN ")*[.]?)$"

/* Kubernetes' own limits: pkg/apis/core/validation, MaxDNSNameservers and its neighbours. */
enum { POD_NAMESERVERS = 3, POD_SEARCHES = 32, POD_SEARCH_CHARS = 2048 };

static bool read_option_value(const json_t *v, const struct json_row *row, void *out, struct err *e)
{
	if (!json_is_plain_string(v) && !json_is_integer(v))
		return json_fault(v, e, "a string, an integer or null");
	return json_is_integer(v) || json_read_text(v, row, out, e);
}

#define WORD .fits = text_is_word, .unfit = "holds white space or a control character"

/* Checks an option. option_entry() reads it from the document later. */
static const struct json_row option_rows[] = {
	{ .key = "name",
	  .read = json_read_string,
	  WORD,
	  .required = true,
	  .about = "The option's name, without white space and control characters.",
	  .pattern = WORD_PATTERN "+$" },
	{ .key = "value",
	  .read = read_option_value,
	  WORD,
	  .about = "Its value, without white space and control characters: a string, an integer or "
		   "null.",
	  .like = json_read_text,
	  .pattern = WORD_PATTERN "*$",
	  .also = "integer" },
};
#define OPTIONS_HELP "options are a list: \"options\": [{\"name\": \"ndots\", \"value\": \"2\"}]"
static const struct json_table option_table = { .row = option_rows,
						.n = LEN(option_rows),
						.help = OPTIONS_HELP };

#define LIST(key, member, reader, ...)                                              \
	JSON_ROW(key, json_read_items, struct dns_config, member, .item = (reader), \
		 .max = STRINGS_MAX, __VA_ARGS__)
#define SEARCH .fits = dnsname_is_search, .unfit = "is not a lower-case domain name (RFC 1123)"

static const struct json_row rows[] = {
	LIST("nameservers", nameservers, json_read_addr,
	     .about = "IP addresses of name servers, written as they are given."),
	LIST("searches", searches, json_read_string, SEARCH, .alias = "search",
	     .pattern = SEARCH_PATTERN,
	     .about = "Lower-case domain names (RFC 1123). A label may begin with and hold an "
		      "underscore; a final dot and \".\" alone are allowed."),
	LIST("options", options, json_read_object, .table = &option_table,
	     .about = "Resolver options, by name and value."),
};
const struct json_table dnsconfig_table = { .row = rows, .n = LEN(rows), .help = OPTIONS_HELP };

static const struct json_row args_rows[] = {
	LIST("DNS_NAMESERVERS", nameservers, json_read_addr),
	LIST("DNS_SEARCHES", searches, json_read_string, SEARCH),
	LIST("DNS_OPTIONS", options, json_read_object, .table = &option_table),
};
static const struct json_table args_table = JSON_TABLE(args_rows, 0);

bool dnsconfig_read(const json_t *v, const struct json_row *row UNUSED, void *out, struct err *e)
{
	struct dns_config *d = out;

	d->present = true;
	return json_decode_in(v, &dnsconfig_table, d, e);
}

bool dnsconfig_read_args(const json_t *v, struct dns_config *d, struct err *e)
{
	d->present = true;
	return json_decode_in(v, &args_table, d, e);
}

bool dnsconfig_fits_pod(const struct dns_config *d, bool of_args, struct err *e)
{
	const char *servers_key = of_args ? "DNS_NAMESERVERS" : "nameservers";
	const char *searches_key = of_args ? "DNS_SEARCHES" : "searches";
	size_t servers = json_array_size(d->nameservers), searches = json_array_size(d->searches);
	size_t chars = searches ? searches - 1 : 0, i;
	json_t *search;

	json_array_foreach (d->searches, i, search)
		chars += json_string_length(search);
	if (servers > POD_NAMESERVERS)
		return err_set(e, ERR_CONFIG, ".%s: %zu entries, Kubernetes allows %d", servers_key,
			       servers, POD_NAMESERVERS);
	if (searches > POD_SEARCHES)
		return err_set(e, ERR_CONFIG, ".%s: %zu entries, Kubernetes allows %d",
			       searches_key, searches, POD_SEARCHES);
	if (chars > POD_SEARCH_CHARS)
		return err_set(e, ERR_CONFIG, ".%s: %zu characters, Kubernetes allows %d",
			       searches_key, chars, POD_SEARCH_CHARS);
	return true;
}

static struct resolv_entry option_entry(const json_t *option, int from, struct arena *a)
{
	const char *name = json_string_value(json_object_get(option, "name")), *token = name;
	const json_t *value = json_object_get(option, "value");

	if (json_is_integer(value))
		token = arena_print(a, "%s:%" JSON_INTEGER_FORMAT, name, json_integer_value(value));
	else if (json_string_length(value))
		token = arena_print(a, "%s:%s", name, json_string_value(value));
	/* The name may hold a colon: kubelet's mergeDNSOptions compares whole names. */
	return (struct resolv_entry){ token, (uint32_t)strlen(name), from, NULL };
}

static void add_words(struct resolv_list *list, const json_t *words, int from, struct arena *a)
{
	json_t *word;
	size_t i;

	json_array_foreach (words, i, word)
		resolv_add(list, resolv_word(json_string_value(word), from), a);
}

void dnsconfig_lists(struct resolv *r, const struct dns_config *d, int from, struct arena *a)
{
	json_t *option;
	size_t i;

	*r = (struct resolv){ 0 };
	add_words(&r->nameservers, d->nameservers, from, a);
	add_words(&r->searches, d->searches, from, a);
	json_array_foreach (d->options, i, option)
		resolv_add(&r->options, option_entry(option, from, a), a);
}

json_t *dnsconfig_json(const struct dns_config *d)
{
	return json_pack("{s:O*, s:O*, s:O*}", "nameservers", d->nameservers, "searches",
			 d->searches, "options", d->options);
}
