/* SPDX-License-Identifier: Apache-2.0 */
/* pod_health.c: what a pod's counters say: sums, rates and times. */
#include "pod-dnsctl/inventory/pod_health.h"

#include <string.h>

uint64_t health_answered(const struct health *h)
{
	return h->count[HEALTH_NOERROR] + h->count[HEALTH_NXDOMAIN] + h->count[HEALTH_SERVFAIL] +
	       h->count[HEALTH_REFUSED] + h->count[HEALTH_OTHER];
}

uint64_t health_unanswered(const struct health *h)
{
	uint64_t answered = health_answered(h), queries = h->count[HEALTH_QUERIES];

	return queries > answered ? queries - answered : 0;
}

double health_per_second(const struct pod_health *p)
{
	uint64_t now = p->now.count[HEALTH_QUERIES], before = p->before.count[HEALTH_QUERIES];

	if (p->seconds <= 0)
		return 0;
	return (double)(now < before ? now : now - before) / p->seconds;
}

int health_quantile(const struct health *h, double share)
{
	uint64_t all = 0, seen = 0;

	for (size_t i = 0; i <= HEALTH_TIMES; i++)
		all += h->count[HEALTH_WITHIN + i];
	for (size_t i = 0; all && i < HEALTH_TIMES; i++) {
		seen += h->count[HEALTH_WITHIN + i];
		if ((double)seen >= share * (double)all)
			return (int)health_times[i];
	}
	return all ? 0 : -1;
}

/*** the worst first ***/

static double trouble(const struct health *h)
{
	uint64_t bad = health_unanswered(h) + h->count[HEALTH_SERVFAIL] + h->count[HEALTH_REFUSED];

	return h->count[HEALTH_QUERIES] ? (double)bad / (double)h->count[HEALTH_QUERIES] : 0;
}

static int slowest(const struct health *h)
{
	int ms = health_quantile(h, 0.99);

	return ms ? ms : 1 << 20;
}

int health_by_trouble(const void *a, const void *b)
{
	const struct pod_health *x = a, *y = b;
	double p = trouble(&x->now), q = trouble(&y->now);
	int s = slowest(&x->now), t = slowest(&y->now);

	if (p > q || p < q)
		return p > q ? -1 : 1;
	return s != t ? (s > t ? -1 : 1) : strcmp(x->pod, y->pod);
}

/*** JSON ***/

static json_t *quantile_json(const struct health *h, double share)
{
	int ms = health_quantile(h, share);

	return ms > 0 ? json_integer(ms) : json_null();
}

static void add_number(json_t *object, const char *key, uint64_t n)
{
	(void)json_object_set_new(object, key, json_integer((json_int_t)n));
}

json_t *health_json(const struct pod_health *p)
{
	const struct health *h = &p->now;
	json_t *object = json_object(), *within = json_object();

	(void)json_object_set_new(object, "pod", json_string(p->pod));
	(void)json_object_set_new(object, "perSecond", json_real(health_per_second(p)));
	for (size_t i = 0; i < HEALTH_COUNTERS; i++)
		if (i >= HEALTH_WITHIN && i <= HEALTH_WITHIN + HEALTH_TIMES)
			add_number(within, health_counters[i], h->count[i]);
		else
			add_number(object, health_counters[i], h->count[i]);
	add_number(object, "answered", health_answered(h));
	add_number(object, "unanswered", health_unanswered(h));
	(void)json_object_set_new(object, "within", within);
	(void)json_object_set_new(object, "median", quantile_json(h, 0.5));
	(void)json_object_set_new(object, "p99", quantile_json(h, 0.99));
	return object;
}
