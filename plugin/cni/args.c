/* SPDX-License-Identifier: Apache-2.0 */
/* args.c: CNI_ARGS, "K=V;K=V". */
#include "cni/args.h"

#include <string.h>

static const struct arg *find_arg(const struct args *args, const char *key)
{
	for (size_t i = 0; i < args->n; i++)
		if (strcmp(args->at[i].key, key) == 0)
			return &args->at[i];
	return NULL;
}

/* podman adds its own IgnoreUnknown to whatever its user has in CNI_ARGS. */
static bool is_repetition(const struct arg *earlier, const struct arg *arg)
{
	return strcmp(earlier->value, arg->value) == 0 || strcmp(arg->key, "IgnoreUnknown") == 0;
}

static bool add_arg(struct args *out, const char *part, size_t len, struct arena *a, struct err *e)
{
	const char *equals = memchr(part, '=', len);
	const struct arg *earlier;
	struct arg arg;

	if (!equals)
		return true;
	arg.key = arena_print(a, "%.*s", (int)(equals - part), part);
	arg.value = arena_print(a, "%.*s", (int)(part + len - equals - 1), equals + 1);
	earlier = find_arg(out, arg.key);
	if (earlier && is_repetition(earlier, &arg))
		return true;
	if (earlier)
		return err_set(e, ERR_ENV, "CNI_ARGS: %s is there twice, with two values", arg.key);
	if (out->n == ARGS_MAX)
		return err_set(e, ERR_ENV, "CNI_ARGS: more than %d keys", ARGS_MAX);
	out->at[out->n++] = arg;
	return true;
}

bool args_parse(struct args *out, const char *text, struct arena *a, struct err *e)
{
	size_t parts = 1;

	for (const char *c = text; *c; c++)
		parts += *c == ';';
	*out = (struct args){ .at = arena_alloc(a, parts * sizeof(*out->at)) };
	if (!out->at)
		return err_set(e, ERR_IO, "CNI_ARGS: out of memory");
	while (*text) {
		size_t len = strcspn(text, ";");

		if (!add_arg(out, text, len, a, e))
			return false;
		text += len + (text[len] == ';');
	}
	return true;
}

const char *args_get(const struct args *args, const char *key)
{
	const struct arg *arg = find_arg(args, key);

	return arg ? arg->value : "";
}

bool args_have_prefix(const struct args *args, const char *prefix)
{
	for (size_t i = 0; i < args->n; i++)
		if (strncmp(args->at[i].key, prefix, strlen(prefix)) == 0)
			return true;
	return false;
}
