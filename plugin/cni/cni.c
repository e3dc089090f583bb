/* SPDX-License-Identifier: Apache-2.0 */
/* cni.c: the protocol: a call's environment and stdin, its versions, its error object. */
#include "cni/cni.h"
#include "file.h"
#include "json.h"
#include "text.h"

#include <string.h>
#include <strings.h>

static const char *const versions[] = { "0.1.0", "0.2.0", "0.3.0", "0.3.1",
					"0.4.0", "1.0.0", "1.1.0" };

/*** environment ***/

bool cni_is_id(const char *s)
{
	static const char alnum[] =
		"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";

	if (!*s || !strchr(alnum, *s))
		return false;
	for (; *s; s++)
		if (!strchr(alnum, *s) && !strchr("_.-", *s))
			return false;
	return true;
}

static bool check_container_id(const char *value, struct err *e)
{
	if (cni_is_id(value))
		return true;
	(void)err_details(e, "%s", value);
	return err_set(e, ERR_ENV, "CNI_CONTAINERID: invalid characters in containerID");
}

/* pkg/utils, ValidateInterfaceName; and no control character, which skel lets pass. */
static bool check_ifname(const char *value, struct err *e)
{
	if (strlen(value) <= 15 && strcmp(value, ".") != 0 && strcmp(value, "..") != 0 &&
	    !strpbrk(value, "/:") && text_is_word(value))
		return true;
	(void)err_details(e, "%s", value);
	return err_set(e, ERR_ENV, "CNI_IFNAME: not the name of an interface");
}

static const struct variable {
	const char *name;
	unsigned need;
	size_t at;
	bool (*check)(const char *value, struct err *e);
} variables[] = {
	{ "CNI_CONTAINERID", NEEDS_CONTAINERID, offsetof(struct call, container_id),
	  check_container_id },
	{ "CNI_NETNS", NEEDS_NETNS, offsetof(struct call, netns), NULL },
	{ "CNI_IFNAME", NEEDS_IFNAME, offsetof(struct call, ifname), check_ifname },
	{ "CNI_ARGS", 0, offsetof(struct call, args), NULL },
	{ "CNI_PATH", NEEDS_PATH, offsetof(struct call, path), NULL },
};

/* "00-" and three numbers of 32, 16 and 2 lower-case hexadecimal digits (W3C Trace Context, 2.2).
 */
static bool is_traceparent(const char *value)
{
	static const size_t dashes[] = { 2, 35, 52 };

	if (strlen(value) != 55 || strspn(value, "0123456789abcdef-") != 55)
		return false;
	for (size_t i = 0; i < LEN(dashes); i++)
		if (value[dashes[i]] != '-')
			return false;
	return strncmp(value, "ff", 2) != 0;
}

static const char *env(const char *name)
{
	const char *value = getenv(name);

	return value ? value : "";
}

bool cni_read_env(struct call *call, const struct verb *verb, struct err *e)
{
	unsigned needs = verb ? verb->needs : 0;
	char missing[128] = "";

	call->runtime = getppid();
	call->trace = is_traceparent(env("TRACEPARENT")) ? env("TRACEPARENT") : NULL;
	call->netns_override = strcmp(env("CNI_NETNS_OVERRIDE"), "1") == 0 ||
			       strcasecmp(env("CNI_NETNS_OVERRIDE"), "true") == 0;
	for (size_t i = 0; i < LEN(variables); i++) {
		const struct variable *v = &variables[i];
		const char *value = env(v->name);
		size_t used = strlen(missing);

		*(const char **)((char *)call + v->at) = value;
		if (!(needs & v->need))
			continue;
		if (!*value)
			(void)snprintf(missing + used, sizeof(missing) - used, "%s%s",
				       used ? "," : "", v->name);
		else if (v->check && !v->check(value, e))
			return false;
	}
	if (*missing)
		return err_set(e, ERR_ENV, "required env variables [%s] missing", missing);
	return true;
}

/*** stdin ***/

bool cni_fault(const json_t *v, struct err *e, const char *expected)
{
	(void)json_fault(v, e, expected);
	e->code = ERR_DECODE;
	return false;
}

/* A protocol key: any case; null is absent. */
static bool read_string(const json_t *network, const char *key, const char **out, struct err *e)
{
	json_t *value = json_get_nocase(network, key);

	if (value && !json_is_plain_string(value))
		return cni_fault(value, e, "a string") || err_in(e, "%s", key);
	if (value)
		*out = json_string_value(value);
	return true;
}

bool cni_read_stdin(struct call *call, int fd, bool lenient, struct err *e)
{
	auto_text text = TEXT_UP_TO(STDIN_MAX);

	if (!file_read_fd(&text, fd, "error reading from stdin", e))
		return false;
	call->network = json_read(text.at, text.len, lenient, e);
	if (!call->network)
		return err_in(e, "stdin: ");
	if (!json_is_object(call->network))
		return err_set(e, ERR_DECODE, "stdin: expected an object");
	call->name = call->version = "";
	if (!read_string(call->network, "cniVersion", &call->version, e) ||
	    !read_string(call->network, "name", &call->name, e))
		return false;
	if (!*call->version)
		call->version = "0.1.0";
	call->prev_result = json_get_nocase(call->network, "prevResult");
	if (!*call->name)
		return err_set(e, ERR_CONFIG, "missing network name");
	if (!cni_is_id(call->name)) {
		(void)err_details(e, "%s", call->name);
		return err_set(e, ERR_CONFIG, "invalid characters found in network name");
	}
	return true;
}

/*** versions ***/

struct version {
	unsigned part[3];
};

/* "1", "1.1" or "1.1.0" (pkg/version, ParseVersion). */
static bool parse_version(struct version *v, const char *s)
{
	*v = (struct version){ 0 };
	for (int i = 0; i < 3; i++) {
		size_t digits = strspn(s, "0123456789");

		if (!digits || digits > 6)
			return false;
		v->part[i] = (unsigned)strtoul(s, NULL, 10);
		s += digits;
		if (!*s)
			return true;
		if (*s++ != '.')
			return false;
	}
	return false;
}

int cni_compare(const char *a, const char *b)
{
	struct version x, y;

	(void)parse_version(&x, a);
	(void)parse_version(&y, b);
	for (int i = 0; i < 3; i++)
		if (x.part[i] != y.part[i])
			return x.part[i] < y.part[i] ? -1 : 1;
	return 0;
}

bool cni_is_supported(const char *version)
{
	for (size_t i = 0; i < LEN(versions); i++)
		if (strcmp(versions[i], version) == 0)
			return true;
	return false;
}

static bool incompatible(const struct call *call, struct err *e)
{
	char list[128] = "";

	for (size_t i = 0; i < LEN(versions); i++)
		(void)snprintf(list + strlen(list), sizeof(list) - strlen(list), "%s\"%s\"",
			       i ? " " : "", versions[i]);
	(void)err_details(e, "config is \"%s\", plugin supports [%s]", call->version, list);
	return err_set(e, ERR_VERSION, "incompatible CNI versions");
}

bool cni_check_version(const struct call *call, const struct verb *verb, struct err *e)
{
	struct version ignored;

	if (verb->since && !parse_version(&ignored, call->version))
		return err_set(e, ERR_DECODE, "cniVersion: \"%s\" is not a version", call->version);
	if (verb->since && cni_compare(call->version, verb->since) < 0)
		return err_set(e, ERR_VERSION, "config version does not allow %s", verb->command);
	if (verb->since && cni_compare(call->version, versions[LEN(versions) - 1]) > 0)
		return err_set(e, ERR_VERSION, "plugin version does not allow %s", verb->command);
	return cni_is_supported(call->version) || incompatible(call, e);
}

/*** output ***/

static json_t *supported(void)
{
	json_t *list = json_array();

	for (size_t i = 0; i < LEN(versions); i++)
		(void)json_array_append_new(list, json_string(versions[i]));
	return list;
}

/* Reals as short as the callers write them: 0.1 stays 0.1. */
bool cni_print(const json_t *answer, FILE *out, struct err *e)
{
	if (answer && json_dumpf(answer, out, JSON_COMPACT | JSON_REAL_PRECISION(15)) == 0 &&
	    fputc('\n', out) != EOF && fflush(out) == 0)
		return true;
	return err_errno(e, ERR_IO, "stdout");
}

bool cni_print_versions(FILE *out, struct err *e)
{
	json_auto_t *answer = json_pack("{s:s, s:o}", "cniVersion", versions[LEN(versions) - 1],
					"supportedVersions", supported());

	return cni_print(answer, out, e);
}

void cni_print_about(FILE *out)
{
	(void)fputs("pod-dns: a CNI plugin that decides a pod's DNS; see pod-dns(8)\n"
		    "CNI protocol versions supported: ",
		    out);
	for (size_t i = 0; i < LEN(versions); i++)
		(void)fprintf(out, "%s%s", i ? ", " : "", versions[i]);
	(void)fputc('\n', out);
}

void cni_print_error(FILE *out, const struct call *call, const struct err *e)
{
	const char *version = call->version && cni_is_supported(call->version)
				      ? call->version
				      : versions[LEN(versions) - 1];
	char msg[2 * sizeof(e->text)], details[2 * sizeof(e->details)];
	json_auto_t *object = NULL;
	struct err whole = *e;

	/* A node's condition shows the text bare. */
	if (call->accepted)
		(void)err_in(&whole, "pod-dns: %s: ", call->name);
	text_escape(msg, sizeof(msg), whole.text);
	text_escape(details, sizeof(details), e->details);
	object = json_pack("{s:s, s:i, s:s}", "cniVersion", version, "code", (int)e->code, "msg",
			   msg);
	if (*details)
		(void)json_object_set_new(object, "details", json_string(details));
	(void)cni_print(object, out, NULL);
}

void cni_done(struct call *call)
{
	json_decref(call->network);
}
