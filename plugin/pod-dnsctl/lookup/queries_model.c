/* SPDX-License-Identifier: Apache-2.0 */
/* queries_model.c: predicts a lookup, for each libc and with alternatives. */
#include "pod-dnsctl/lookup/queries.h"

#include <string.h>
#include <strings.h>

static bool is_same(const char *a, const char *b)
{
	size_t len = strlen(b);

	if (len > 1 && b[len - 1] == '.')
		len--;
	return strlen(a) == len && strncasecmp(a, b, len) == 0;
}

enum libc_answer queries_answer(const struct queries *q, const char *name)
{
	for (size_t i = 0; i < q->n; i++)
		if (is_same(name, q->known[i].name))
			return q->known[i].answer;
	return LIBC_NXDOMAIN;
}

/*** autopath ***/

/* The server of the autopath zone tries the searches and answers with what it finds. */
struct autopath {
	const struct queries *q;
	const struct resolv_list *searches; /* of the unchanged text */
	const char *suffix;
};

static bool walks_to(const struct autopath *a, const char *name)
{
	for (size_t i = 0; i < a->searches->n; i++)
		if (queries_answer(a->q, arena_print(a->q->arena, "%s.%s", name,
						     a->searches->at[i].text)) == LIBC_FOUND)
			return true;
	return queries_answer(a->q, name) == LIBC_FOUND;
}

static enum libc_answer answer_autopath(const char *name, void *context)
{
	const struct autopath *a = context;
	size_t len = strlen(name), suffix = strlen(a->suffix);

	if (len <= suffix + 1 || name[len - suffix - 1] != '.' ||
	    strcasecmp(name + len - suffix, a->suffix) != 0)
		return queries_answer(a->q, name);
	name = arena_print(a->q->arena, "%.*s", (int)(len - suffix - 1), name);
	return walks_to(a, name) ? LIBC_FOUND : LIBC_NXDOMAIN;
}

/*** a lookup ***/

static enum libc_answer answer(const char *name, void *context)
{
	return queries_answer(context, name);
}

static void put_search(struct resolv_list *list, const char *text, const struct queries *q)
{
	resolv_add(list, resolv_word(text, 0), q->arena);
}

/*
 * For a file with search.NS.D.ZONE as its first search: the searches that the server tries. They
 * are those behind it in the file. If the cluster's DNS serves the zone, the file does not have
 * them, and they are the three of the namespace. False: the file does not have this search.
 */
static bool read_autopath(struct autopath *a, struct resolv_list *walked,
			  const struct resolv_list *searches, const struct queries *q)
{
	static const char begins[] = "search.";
	const char *zone = arena_print(q->arena, ".%s", q->autopath_zone);
	const char *first = searches->n ? searches->at[0].text : "", *domain, *svc;
	size_t len = strlen(first), tail = strlen(zone);

	if (strncmp(first, begins, strlen(begins)) != 0 || len <= strlen(begins) + tail ||
	    strcasecmp(first + len - tail, zone) != 0)
		return false;
	*a = (struct autopath){ .q = q, .searches = walked, .suffix = first };
	*walked = *searches;
	walked->at++;
	walked->n--;
	first += strlen(begins);
	domain = strchr(first, '.');
	if (walked->n || !domain || domain + tail >= first + strlen(first))
		return true;
	domain = arena_print(q->arena, "%.*s", (int)(strlen(domain + 1) - tail), domain + 1);
	svc = arena_print(q->arena, "svc.%s", domain);
	put_search(walked, arena_print(q->arena, "%.*s.%s", (int)strcspn(first, "."), first, svc),
		   q);
	put_search(walked, svc, q);
	put_search(walked, domain, q);
	return true;
}

void queries_look_up(struct libc_lookup *out, struct libc_conf *conf, const struct queries *q,
		     enum libc libc)
{
	struct resolv_list walked;
	struct autopath a;

	libc_read(conf, libc, q->text, q->arena);
	if (read_autopath(&a, &walked, &conf->searches, q))
		libc_look_up(out, conf, q->name, answer_autopath, &a, q->arena);
	else
		libc_look_up(out, conf, q->name, answer, (void *)q, q->arena);
}

/*** alternatives ***/

/* The text with one more line, which overrides those before it. */
static struct queries with_line(const struct queries *q, const char *line)
{
	struct queries with = *q;
	size_t len = strlen(q->text);

	with.text = arena_print(q->arena, "%s%s%s\n", q->text,
				len && q->text[len - 1] != '\n' ? "\n" : "", line);
	return with;
}

struct queries queries_with_ndots(const struct queries *q)
{
	return with_line(q, "options ndots:2");
}

/* Finds "shop" and "cluster.local" in shop.svc.cluster.local, svc.cluster.local, cluster.local. */
static bool find_namespace(const struct resolv_list *searches, const char **namespace,
			   const char **domain, struct arena *a)
{
	const char *svc;

	if (searches->n < 3)
		return false;
	*domain = searches->at[2].text;
	svc = arena_print(a, "svc.%s", *domain);
	*namespace = arena_print(a, "%.*s", (int)strcspn(searches->at[0].text, "."),
				 searches->at[0].text);
	return strcmp(searches->at[1].text, svc) == 0 &&
	       strcmp(searches->at[0].text, arena_print(a, "%s.%s", *namespace, svc)) == 0;
}

static const char *join(const char *first, const struct resolv_list *searches, struct arena *a)
{
	const char *line = arena_print(a, "search %s", first);

	for (size_t i = 0; i < searches->n; i++)
		line = arena_print(a, "%s %s", line, searches->at[i].text);
	return line;
}

bool queries_with_autopath(struct queries *with, const struct queries *q)
{
	const char *namespace, *domain, *first;
	struct libc_conf plain;

	libc_read(&plain, LIBC_GLIBC, q->text, q->arena);
	if (!find_namespace(&plain.searches, &namespace, &domain, q->arena))
		return false;
	first = arena_print(q->arena, "search.%s.%s.%s", namespace, domain, q->autopath_zone);
	*with = with_line(q, join(first, &plain.searches, q->arena));
	return true;
}
