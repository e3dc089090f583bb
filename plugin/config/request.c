/* SPDX-License-Identifier: Apache-2.0 */
/* request.c: reads from a call who the pod is, what it requests, and what the runtime decided. */
#include "config/request.h"
#include "cni/cni.h"
#include "config/dnsconfig.h"
#include "text.h"
#include "enum_names.h"

#include <stdio.h>
#include <string.h>

enum { ANNOTATION_MAX = 64 << 10 }; /* bytes */

void request_sources_done(struct request_sources *s)
{
	json_decref(s->annotation);
	json_decref(s->from_args);
	*s = (struct request_sources){ 0 };
}

/*** who ***/

static bool pod_field(const char **out, const struct args *args, const char *key, struct err *e)
{
	*out = args_get(args, key);
	if (**out && !text_is_word(*out))
		return err_set(e, ERR_ENV,
			       "CNI_ARGS: %s: \"%s\" holds white space or a control character", key,
			       *out);
	return true;
}

bool request_pod(struct pod *pod, const struct args *args, struct err *e)
{
	/* Under Nomad a job's author can set any other key: those do not name the pod. */
	bool nomad = args_have_prefix(args, "NOMAD_");

	*pod = (struct pod){ .uid = "" };
	if (!pod_field(&pod->name, args, nomad ? "NOMAD_GROUP_NAME" : "K8S_POD_NAME", e) ||
	    !pod_field(&pod->namespace, args, nomad ? "NOMAD_NAMESPACE" : "K8S_POD_NAMESPACE", e))
		return false;
	if (!nomad && !pod_field(&pod->uid, args, "K8S_POD_UID", e))
		return false;
	if (!*pod->namespace)
		pod->namespace = "default";
	pod->cri = !nomad && *args_get(args, "K8S_POD_INFRA_CONTAINER_ID");
	return true;
}

const char *request_pod_shown(const struct pod *pod, struct arena *a)
{
	char namespace[256], name[256];

	if (!*pod->name)
		return NULL;
	text_escape(namespace, sizeof(namespace), pod->namespace);
	text_escape(name, sizeof(name), pod->name);
	return arena_print(a, "%s/%s", namespace, name);
}

/*** the channels ***/

static json_t *object_at(const json_t *object, const char *key)
{
	json_t *value = json_get_nocase(object, key);

	return json_is_object(value) ? value : NULL;
}

static const json_t *args_cni(const json_t *network)
{
	return json_get(object_at(network, "args"), "cni");
}

static const json_t *annotation(const json_t *network, const char *name)
{
	return json_get(object_at(object_at(network, "runtimeConfig"), REQUEST_ANNOTATIONS), name);
}

static bool is_place(const json_t *value, const char *path, struct err *e)
{
	return !value || json_is_object(value) || json_fault(value, e, "an object") ||
	       err_in(e, "%s", path);
}

/* The keys that hold the channels must be objects, or absent. */
static bool check_places(const json_t *network, struct err *e)
{
	const json_t *runtime = json_get_nocase(network, "runtimeConfig");

	return is_place(runtime, "runtimeConfig", e) &&
	       is_place(json_get_nocase(runtime, REQUEST_ANNOTATIONS),
			"runtimeConfig." REQUEST_ANNOTATIONS, e) &&
	       is_place(json_get_nocase(network, "args"), "args", e) &&
	       is_place(args_cni(network), "args.cni", e);
}

static bool refuse_policy(const json_t *value, struct err *e)
{
	char says[256] = "is not a DNS policy, which is one of";

	for (size_t i = 0; policy_names[i]; i++)
		(void)snprintf(says + strlen(says), sizeof(says) - strlen(says), "%s %s",
			       i ? "," : "", policy_names[i]);
	return json_fault_value(value, e, says);
}

static bool read_policy_value(struct request *request, const json_t *value, struct err *e)
{
	if (!json_is_plain_string(value))
		return json_fault(value, e, "a string");
	request->policy = policy_named(json_string_value(value));
	return request->policy != POLICY_UNSET || refuse_policy(value, e);
}

static bool read_pod_policy(struct request *request, const json_t *network, const struct args *args,
			    struct err *e)
{
	json_auto_t *from_args = NULL;
	const json_t *value;

	if ((value = json_get_nocase(object_at(network, "runtimeConfig"), "dnsPolicy"))) {
		request->policy_channel = "runtimeConfig.dnsPolicy";
	} else if ((value = annotation(network, "pod-dns/policy"))) {
		request->policy_channel = "annotation pod-dns/policy";
	} else if ((value = json_get(args_cni(network), "dnsPolicy"))) {
		request->policy_channel = "args.cni.dnsPolicy";
	} else if (*args_get(args, "DNS_POLICY")) {
		request->policy_channel = "CNI_ARGS DNS_POLICY";
		from_args = json_string(args_get(args, "DNS_POLICY"));
		value = from_args;
		if (!value) /* of json_string() */
			return err_set(e, ERR_CONFIG, ": not UTF-8");
	} else {
		return true;
	}
	return read_policy_value(request, value, e);
}

/* "a,b" becomes ["a", "b"], an option "n:v" {name, value}. NULL: not UTF-8. */
static json_t *list_of_words(const char *text, bool options)
{
	json_t *list = json_array();

	for (bool more = true; more;) {
		size_t len = strcspn(text, ","), name = strcspn(text, ":,");
		json_t *item;

		if (!options)
			item = json_stringn(text, len);
		else if (name < len)
			item = json_pack("{s:s%, s:s%}", "name", text, name, "value",
					 text + name + 1, len - name - 1);
		else
			item = json_pack("{s:s%}", "name", text, len);
		if (json_array_append_new(list, item) < 0) {
			json_decref(list);
			return NULL;
		}
		more = text[len] == ',';
		text += len + more;
	}
	return list;
}

static bool read_config_of_args(struct request *request, struct request_sources *s,
				const struct args *args, struct err *e)
{
	static const char *const variables[] = { "DNS_NAMESERVERS", "DNS_SEARCHES", "DNS_OPTIONS" };
	bool any = false;

	s->from_args = json_object();
	for (size_t i = 0; i < LEN(variables); i++) {
		const char *text = args_get(args, variables[i]);
		json_t *list;

		if (!*text)
			continue;
		any = true;
		list = list_of_words(text, strcmp(variables[i], "DNS_OPTIONS") == 0);
		if (json_object_set_new(s->from_args, variables[i], list) < 0)
			return err_set(e, ERR_CONFIG, ".%s: not UTF-8", variables[i]);
	}
	return !any || dnsconfig_read_args(s->from_args, &request->dns, e);
}

static bool parse_annotation(struct request_sources *s, const json_t *value, struct err *e)
{
	if (!json_is_plain_string(value))
		return json_fault(value, e, "a string");
	if (json_string_length(value) > ANNOTATION_MAX)
		return err_set(e, ERR_CONFIG, ": %zu bytes, %d at most", json_string_length(value),
			       ANNOTATION_MAX);
	s->annotation = json_read(json_string_value(value), json_string_length(value), false, e);
	return s->annotation || err_in(e, ": ");
}

/* *value becomes the parsed annotation; false: it is absent, null, or (*e) faulty. */
static bool read_annotation(struct request *request, struct request_sources *s,
			    const json_t *network, const json_t **value, struct err *e)
{
	*value = annotation(network, "pod-dns/config");
	if (!*value)
		return false;
	request->dns_channel = "annotation pod-dns/config";
	if (!parse_annotation(s, *value, e) || json_is_null(s->annotation))
		return false;
	*value = s->annotation;
	return true;
}

static bool read_pod_config(struct request *request, struct request_sources *s,
			    const json_t *network, const struct args *args, struct err *e)
{
	const json_t *value;

	if ((value = json_get_nocase(object_at(network, "runtimeConfig"), "dnsConfig"))) {
		request->dns_channel = "runtimeConfig.dnsConfig";
	} else if (read_annotation(request, s, network, &value, e)) {
		/* value is set */
	} else if (e->code) {
		return false;
	} else if ((value = json_get(args_cni(network), "dnsConfig"))) {
		request->dns_channel = "args.cni.dnsConfig";
	} else {
		request->dns_channel = "CNI_ARGS";
		return read_config_of_args(request, s, args, e);
	}
	return dnsconfig_read(value, NULL, &request->dns, e);
}

/*** what a pod may ***/

static bool refuse_setting(const char *thing, struct err *e)
{
	return err_set(e, ERR_CONFIG, ": a pod may not set %s here (podMay)", thing);
}

static bool policy_allowed(const struct request *request, const struct conf *c, struct err *e)
{
	return request->policy == POLICY_UNSET || !c->pod_may.written || c->pod_may.policy ||
	       refuse_setting("dnsPolicy", e);
}

/* Under Kubernetes an annotation must not get a pod what admission of spec.dnsConfig refuses. */
static bool config_allowed(const struct request *request, const struct conf *c,
			   const struct pod *pod, struct err *e)
{
	const struct pod_may *may = &c->pod_may;
	bool all = !may->written && !pod->cri;

	if (json_array_size(request->dns.nameservers) && !all && !may->nameservers)
		return refuse_setting("nameservers", e);
	if (json_array_size(request->dns.searches) && !all && !may->searches)
		return refuse_setting("searches", e);
	if (json_array_size(request->dns.options) && !all && !may->options)
		return refuse_setting("options", e);
	return true;
}

/* Handles a fault in the request by onPodError. Returns whether ADD goes on without that part. */
static bool pod_error(const struct conf *c, const char *channel, struct warnings *w, struct err *e)
{
	(void)err_in(e, "%s", channel);
	if (c->on_pod_error == POD_ERROR_FAIL)
		return false;
	warn(w, "pod-error", "%s: ignored", e->text);
	err_clear(e);
	return true;
}

bool request_read(struct request *request, struct request_sources *s, const json_t *network,
		  const struct args *args, const struct conf *c, const struct pod *pod,
		  struct warnings *w, struct err *e)
{
	*request = (struct request){ .policy = POLICY_UNSET };
	if (!check_places(network, e) && !pod_error(c, "", w, e))
		return false;
	if (!read_pod_policy(request, network, args, e) || !policy_allowed(request, c, e)) {
		request->policy = POLICY_UNSET;
		if (!pod_error(c, request->policy_channel, w, e))
			return false;
	}
	if (!read_pod_config(request, s, network, args, e) || !config_allowed(request, c, pod, e) ||
	    !dnsconfig_fits_pod(&request->dns, s->from_args, e)) {
		request->dns = (struct dns_config){ 0 };
		if (!pod_error(c, request->dns_channel, w, e))
			return false;
	}
	return true;
}

/*** what the runtime decided ***/

/* A list of strings, or null. containerd writes the keys with capitals (go-cni has no JSON tags).
 */
static bool read_runtime_list(struct resolv_list *list, const json_t *dns, const char *key,
			      bool options, struct arena *a, struct err *e)
{
	json_t *words = json_get_nocase(dns, key), *word;
	size_t i;

	if (words && !json_is_array(words))
		return cni_fault(words, e, "a list") || err_in(e, "runtimeConfig.dns.%s", key);
	json_array_foreach (words, i, word) {
		const char *text = json_string_value(word);

		if (!json_is_string(word))
			return cni_fault(word, e, "a string") ||
			       err_in(e, "runtimeConfig.dns.%s[%zu]", key, i);
		if (strlen(text) != json_string_length(word))
			text = "\1"; /* it holds a NUL: policy_clean() drops it */
		resolv_add(list,
			   options ? resolv_option(text, FROM_RUNTIME)
				   : resolv_word(text, FROM_RUNTIME),
			   a);
	}
	return true;
}

enum capability request_runtime_dns(struct resolv *r, const json_t *network, struct arena *a,
				    struct err *e)
{
	json_t *dns = object_at(object_at(network, "runtimeConfig"), "dns");

	if (!dns)
		return CAPABILITY_ABSENT;
	*r = (struct resolv){ 0 };
	if (!read_runtime_list(&r->nameservers, dns, "servers", false, a, e) ||
	    !read_runtime_list(&r->searches, dns, "searches", false, a, e) ||
	    !read_runtime_list(&r->options, dns, "options", true, a, e))
		return CAPABILITY_FAULTY;
	return CAPABILITY_READ;
}
