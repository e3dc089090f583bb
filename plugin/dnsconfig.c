/* dnsconfig.c: dnsConfig as an operator or a pod writes it (KEP-504's PodDNSConfig). */
#include "dnsconfig.h"
#include "arena.h"
#include "name.h"
#include "text.h"

#include <string.h>

/* Kubernetes' own limits: pkg/apis/core/validation, MaxDNSNameservers and its neighbours. */
enum { POD_NAMESERVERS = 3, POD_SEARCHES = 32, POD_SEARCH_CHARS = 2048 };

static bool read_search(const json_t *v, const struct json_row *row, void *out, struct err *e)
{
	if (!json_read_string(v, row, out, e))
		return false;
	return name_is_search(json_string_value(v)) ||
	       json_fault_value(v, e, "is not a lower-case domain name (RFC 1123)");
}

static bool check_word(const json_t *v, struct err *e)
{
	return text_is_word(json_string_value(v)) ||
	       json_fault_value(v, e, "holds white space or a control character");
}

static bool read_name(const json_t *v, const struct json_row *row, void *out, struct err *e)
{
	return json_read_string(v, row, out, e) && check_word(v, e);
}

static bool read_value(const json_t *v, const struct json_row *row UNUSED, void *out, struct err *e)
{
	if (!json_is_plain_string(v) && !json_is_integer(v))
		return json_fault(v, e, "a string, an integer or null");
	if (json_is_string(v) && !json_string_length(v))
		return true;
	*(const json_t **)out = v;
	return json_is_integer(v) || check_word(v, e);
}

static const struct json_row option_rows[] = {
	JSON_ROW("name", read_name, struct dns_option, name, .required = true),
	JSON_ROW("value", read_value, struct dns_option, value),
};
static const struct json_table option_table = JSON_TABLE(option_rows, 0);

#define WORDS(key, member, reader, ...)                                            \
	JSON_ROW(key, json_read_list, struct dns_config, member, .item = (reader), \
		 .size = sizeof(char *), .max = WORDS_MAX, __VA_ARGS__)
#define OPTIONS(key)                                                                        \
	JSON_ROW(key, json_read_list, struct dns_config, options, .item = json_read_object, \
		 .size = sizeof(struct dns_option), .max = WORDS_MAX, .table = &option_table)

static const struct json_row rows[] = {
	WORDS("nameservers", nameservers, json_read_addr),
	WORDS("searches", searches, read_search, .alias = "search"),
	OPTIONS("options"),
};
static const struct json_table table = JSON_TABLE(rows, 0);

static const struct json_row args_rows[] = {
	WORDS("DNS_NAMESERVERS", nameservers, json_read_addr),
	WORDS("DNS_SEARCHES", searches, read_search),
	OPTIONS("DNS_OPTIONS"),
};
static const struct json_table args_table = JSON_TABLE(args_rows, 0);

bool dnsconfig_read(const json_t *v, const struct json_row *row UNUSED, void *out, struct err *e)
{
	struct dns_config *d = out;

	d->present = true;
	return json_decode_in(v, &table, d, e);
}

bool dnsconfig_read_args(const json_t *v, struct dns_config *d, struct err *e)
{
	d->present = true;
	return json_decode_in(v, &args_table, d, e);
}

bool dnsconfig_fits_pod(const struct dns_config *d, struct err *e)
{
	size_t chars = d->searches.n ? d->searches.n - 1 : 0;

	for (size_t i = 0; i < d->searches.n; i++)
		chars += strlen(d->searches.at[i]);
	if (d->nameservers.n > POD_NAMESERVERS)
		return err_set(e, ERR_CONFIG, ".nameservers: %zu entries, Kubernetes allows %d",
			       d->nameservers.n, POD_NAMESERVERS);
	if (d->searches.n > POD_SEARCHES)
		return err_set(e, ERR_CONFIG, ".searches: %zu entries, Kubernetes allows %d",
			       d->searches.n, POD_SEARCHES);
	if (chars > POD_SEARCH_CHARS)
		return err_set(e, ERR_CONFIG, ".searches: %zu characters, Kubernetes allows %d",
			       chars, POD_SEARCH_CHARS);
	return true;
}

static struct resolv_entry option_entry(const struct dns_option *o, int from, struct arena *a)
{
	const char *token = o->name;

	if (json_is_integer(o->value))
		token = arena_print(a, "%s:%" JSON_INTEGER_FORMAT, o->name,
				    json_integer_value(o->value));
	else if (o->value)
		token = arena_print(a, "%s:%s", o->name, json_string_value(o->value));
	/* A colon within the name belongs to the name: kubelet's mergeDNSOptions keys by it. */
	return (struct resolv_entry){ token, (uint32_t)strlen(o->name), from };
}

void dnsconfig_lists(struct resolv *r, const struct dns_config *d, int from, struct arena *a)
{
	*r = (struct resolv){ 0 };
	for (size_t i = 0; i < d->nameservers.n; i++)
		resolv_add(&r->nameservers, resolv_word(d->nameservers.at[i], from));
	for (size_t i = 0; i < d->searches.n; i++)
		resolv_add(&r->searches, resolv_word(d->searches.at[i], from));
	for (size_t i = 0; i < d->options.n; i++)
		resolv_add(&r->options, option_entry(&d->options.at[i], from, a));
}

static json_t *strings(const struct words *words)
{
	json_t *list = json_array();

	for (size_t i = 0; i < words->n; i++)
		(void)json_array_append_new(list, json_string(words->at[i]));
	return list;
}

json_t *dnsconfig_json(const struct dns_config *d)
{
	json_t *options = json_array();

	for (size_t i = 0; i < d->options.n; i++)
		(void)json_array_append_new(options,
					    json_pack("{s:s, s:O*}", "name", d->options.at[i].name,
						      "value", d->options.at[i].value));
	return json_pack("{s:o, s:o, s:o}", "nameservers", strings(&d->nameservers), "searches",
			 strings(&d->searches), "options", options);
}
