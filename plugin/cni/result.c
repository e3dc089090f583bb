/* SPDX-License-Identifier: Apache-2.0 */
/* result.c: prevResult, and the result that ADD prints: the same with another `dns`. */
#include "cni/result.h"
#include "addr.h"
#include "cni/cni.h"
#include "json.h"
#include "text.h"

#include <stdio.h>
#include <string.h>

static const char *const dns_keys[] = { "nameservers", "search", "options" };

/*** prevResult ***/

static bool check_cidr(const json_t *object, const char *key, struct err *e)
{
	const json_t *value = json_object_get(object, key);

	return (json_is_plain_string(value) && addr_is_cidr(json_string_value(value))) ||
	       err_set(e, ERR_DECODE, ".%s: not an address with its prefix length", key);
}

static bool check_ip(const json_t *object, const char *key, struct err *e)
{
	const json_t *value = json_get(object, key);
	struct addr ignored;

	if (!value || (json_is_string(value) && !json_string_length(value)))
		return true;
	return (json_is_plain_string(value) && addr_parse(&ignored, json_string_value(value))) ||
	       err_set(e, ERR_DECODE, ".%s: not an IP address", key);
}

static bool check_address(const json_t *ip, struct err *e)
{
	return check_cidr(ip, "address", e) && check_ip(ip, "gateway", e);
}

static bool check_route(const json_t *route, struct err *e)
{
	return check_cidr(route, "dst", e) && check_ip(route, "gw", e);
}

static bool check_interface(const json_t *interface, struct err *e)
{
	return json_is_object(interface) || cni_fault(interface, e, "an object");
}

static bool check_string(const json_t *string, struct err *e)
{
	return json_is_string(string) || cni_fault(string, e, "a string");
}

static bool check_each(const json_t *object, const char *key,
		       bool (*check)(const json_t *, struct err *), struct err *e)
{
	const json_t *list = json_get(object, key);
	json_t *item;
	size_t i;

	if (!list)
		return true;
	if (!json_is_array(list))
		return cni_fault(list, e, "a list") || err_in(e, ".%s", key);
	json_array_foreach (list, i, item)
		if (!check(item, e))
			return err_in(e, ".%s[%zu]", key, i);
	return true;
}

/* ip4, ip6 of 0.1.0 and 0.2.0. */
static bool check_family(const json_t *prev, const char *key, struct err *e)
{
	const json_t *ip = json_get(prev, key);

	if (!ip)
		return true;
	return (check_cidr(ip, "ip", e) && check_ip(ip, "gateway", e) &&
		check_each(ip, "routes", check_route, e)) ||
	       err_in(e, ".%s", key);
}

static bool check_dns(const json_t *prev, struct err *e)
{
	const json_t *dns = json_get(prev, "dns");

	if (!dns)
		return true;
	if (!json_is_object(dns))
		return cni_fault(dns, e, "an object") || err_in(e, ".dns");
	for (size_t i = 0; i < LEN(dns_keys); i++)
		if (!check_each(dns, dns_keys[i], check_string, e))
			return err_in(e, ".dns");
	return true;
}

/* Versions of one family have one form. */
static int family(const char *version)
{
	return cni_compare(version, "0.3.0") < 0 ? 0 : cni_compare(version, "1.0.0") < 0 ? 1 : 2;
}

static bool check_version(const json_t *prev, const char *version, struct err *e)
{
	const json_t *own = json_get(prev, "cniVersion");
	const char *text = json_string_value(own);

	if (!own || (text && !*text))
		return true;
	if (!text)
		return cni_fault(own, e, "a string") || err_in(e, ".cniVersion");
	return (cni_is_supported(text) && family(text) == family(version)) ||
	       err_set(e, ERR_VERSION, ".cniVersion: \"%s\" in a network of \"%s\"", text, version);
}

static bool check_content(const json_t *prev, const char *version, struct err *e)
{
	if (!check_version(prev, version, e) || !check_dns(prev, e))
		return false;
	if (family(version) == 0)
		return check_family(prev, "ip4", e) && check_family(prev, "ip6", e);
	return check_each(prev, "ips", check_address, e) &&
	       check_each(prev, "routes", check_route, e) &&
	       check_each(prev, "interfaces", check_interface, e);
}

bool result_check(const json_t *prev, const char *version, struct err *e)
{
	if (!prev)
		return err_set(e, ERR_CONFIG,
			       "prevResult: missing: pod-dns must be called as a chained plugin");
	if (!json_is_object(prev))
		return cni_fault(prev, e, "an object") || err_in(e, "prevResult");
	return check_content(prev, version, e) || err_in(e, "prevResult");
}

static bool is_unfit(const json_t *word)
{
	return !json_is_plain_string(word) || !text_is_word(json_string_value(word));
}

static void complain(const json_t *word, const char *key, struct warnings *w)
{
	struct err e = { 0 };

	(void)json_fault_value(word, &e,
			       "is empty or holds white space or a control character: dropped");
	warn(w, "entry-dropped", "prevResult.dns.%s%s", key, e.text);
}

static void clean_list(json_t *list, const char *list_key, struct warnings *w)
{
	for (size_t i = json_array_size(list); i-- > 0;) {
		const json_t *word = json_array_get(list, i);
		char key[64];

		if (!is_unfit(word))
			continue;
		(void)snprintf(key, sizeof(key), "%s[%zu]", list_key, i);
		complain(word, key, w);
		(void)json_array_remove(list, i);
	}
}

static void clean_dns(json_t *dns, struct warnings *w)
{
	const json_t *domain = json_object_get(dns, "domain");

	for (size_t i = 0; i < LEN(dns_keys); i++)
		clean_list(json_object_get(dns, dns_keys[i]), dns_keys[i], w);
	if (json_is_string(domain) && json_string_length(domain) && is_unfit(domain)) {
		complain(domain, "domain", w);
		(void)json_object_del(dns, "domain");
	}
}

json_t *result_clean(const json_t *prev, struct warnings *w)
{
	json_t *cleaned = json_copy((json_t *)prev);
	const json_t *dns = json_object_get(prev, "dns");
	json_t *own = json_deep_copy(dns);

	if (!cleaned || !dns)
		return cleaned;
	clean_dns(own, w);
	if (json_object_set_new(cleaned, "dns", own) == 0)
		return cleaned;
	json_decref(cleaned);
	return NULL;
}

void result_dns(struct resolv *r, const json_t *prev, struct arena *a)
{
	struct resolv_list *lists[] = { &r->nameservers, &r->searches, &r->options };
	const json_t *dns = json_object_get(prev, "dns");
	json_t *word;
	size_t i;

	*r = (struct resolv){ 0 };
	for (size_t k = 0; k < LEN(lists); k++)
		json_array_foreach (json_object_get(dns, dns_keys[k]), i, word) {
			const char *text = json_string_value(word);

			resolv_add(lists[k],
				   lists[k] == &r->options ? resolv_option(text, FROM_PREV)
							   : resolv_word(text, FROM_PREV),
				   a);
		}
}

/*** the result ***/

/* podman 4 reads servers with net.ParseIP: one with a zone, "fe80::1%eth0", stops the container. */
static bool is_printable(const struct resolv_entry *entry, const char *key)
{
	struct addr ignored;

	return strcmp(key, "nameservers") != 0 ||
	       (addr_parse(&ignored, entry->text) && !addr_has_leading_zeros(entry->text));
}

static json_t *list_json(const struct resolv_list *list, const char *key)
{
	json_t *array = json_array();

	for (size_t i = 0; i < list->n; i++)
		if (is_printable(&list->at[i], key) &&
		    json_array_append_new(array, json_string(list->at[i].text)) < 0) {
			json_decref(array);
			return NULL;
		}
	return array;
}

/* Sets a list of `dns`, or removes the key where the list is empty. */
static bool set_list(json_t *dns, const char *key, const struct resolv_list *list)
{
	json_auto_t *array = list_json(list, key);

	(void)json_object_del(dns, key);
	return array && (!json_array_size(array) || json_object_set(dns, key, array) == 0);
}

json_t *result_make_dns(const json_t *prev, const struct resolv *r)
{
	const struct resolv_list *lists[] = { &r->nameservers, &r->searches, &r->options };
	const json_t *old = json_object_get(prev, "dns");
	json_t *dns = json_is_object(old) ? json_copy((json_t *)old) : json_object();
	bool ok = dns != NULL;

	for (size_t i = 0; i < LEN(lists); i++)
		ok = ok && set_list(dns, dns_keys[i], lists[i]);
	if (ok)
		return dns;
	json_decref(dns);
	return NULL;
}

json_t *result_make(const json_t *prev, const char *version, const struct resolv *r)
{
	json_t *result = json_copy((json_t *)prev);
	json_auto_t *dns = r ? result_make_dns(prev, r) : NULL;
	bool ok =
		json_object_set_new(result, "cniVersion", json_string(version)) == 0 && (dns || !r);

	if (r && !json_object_size(dns))
		(void)json_object_del(result, "dns");
	else if (r)
		ok = ok && json_object_set(result, "dns", dns) == 0;
	if (ok)
		return result;
	json_decref(result);
	return NULL;
}

static bool list_holds(const json_t *list, const json_t *word)
{
	json_t *item;
	size_t i;

	json_array_foreach (list, i, item)
		if (json_equal(item, word))
			return true;
	return false;
}

bool result_lacks(char *out, size_t room, const json_t *prev, const json_t *printed)
{
	const json_t *dns = json_object_get(prev, "dns");
	json_t *word;
	size_t i;

	for (size_t k = 0; k < LEN(dns_keys); k++)
		json_array_foreach (json_object_get(printed, dns_keys[k]), i, word)
			if (!list_holds(json_object_get(dns, dns_keys[k]), word)) {
				(void)snprintf(out, room, "dns.%s lacks \"%s\"", dns_keys[k],
					       json_string_value(word));
				return true;
			}
	return false;
}
