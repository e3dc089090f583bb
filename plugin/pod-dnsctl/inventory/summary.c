/* SPDX-License-Identifier: Apache-2.0 */
/* summary.c: the node's pods in numbers, and its networks. */
#include "pod-dnsctl/inventory/summary.h"
#include "steer/steer_disable.h"

static void count_view(struct summary *s, const struct view *v, const struct networks *networks)
{
	if (v->fault) {
		s->damaged++;
		return;
	}
	s->pods++;
	s->stale += live_network_outdates(networks, &v->record);
	s->missed += v->record.late == RECORD_MISSED;
	s->awaited += v->record.late == RECORD_AWAITED;
	s->unrecognised += v->record.decision.unrecognised;
}

static void count_missing(const struct view *v, void *context)
{
	struct summary *s = context;
	struct known_network *network = known_network_named(&s->networks, v->record.at.network);

	s->missing++;
	if (network)
		network->missing++;
}

void summary_read(struct summary *s, const struct rundir *r, const struct networks *networks,
		  const char *cache, struct arena *a)
{
	auto_views all = { .run = NULL };
	const struct view *v;

	*s = (struct summary){ .networks = known_networks_find(networks, r, a),
			       .disabled = steer_is_disabled(r) };
	views_begin(&all, r);
	while ((v = views_next(&all)))
		count_view(s, v, networks);
	s->whole = missing_each(cache, r, &s->networks, count_missing, s, NULL) && all.whole;
}

/*** in words ***/

struct telling {
	summary_teller *tell;
	void *context;
	size_t n;
};

static void tell_line(struct telling *t, const char *line)
{
	t->tell(line, t->context);
	t->n++;
}

static void tell_count(struct telling *t, size_t n, const char *one, const char *many,
		       struct arena *a)
{
	if (n)
		tell_line(t, arena_print(a, "%zu %s", n, n == 1 ? one : many));
}

size_t summary_tell(const struct summary *s, struct arena *a, summary_teller *tell, void *context)
{
	struct telling t = { tell, context, 0 };

	for (size_t i = 0; i < s->networks.n; i++)
		if (!s->networks.at[i].chained)
			tell_line(&t, arena_print(a,
						  "network %s: pod-dns is not chained: new pods "
						  "are not served; run pod-dnsctl install",
						  s->networks.at[i].name));
	if (s->disabled)
		tell_line(&t, "steering is switched off on this node: pod-dnsctl steer on --node");
	tell_count(&t, s->missing, "pod has no record: pod-dnsctl list --missing, pod-dnsctl adopt",
		   "pods have no record: pod-dnsctl list --missing, pod-dnsctl adopt", a);
	tell_count(&t, s->stale,
		   "pod has the configuration of before: pod-dnsctl apply --all, or restart it",
		   "pods have the configuration of before: pod-dnsctl apply --all, or restart them",
		   a);
	tell_count(&t, s->missed,
		   "pod did not get its file: pod-dnsctl list shows missed, explain says why",
		   "pods did not get their file: pod-dnsctl list shows missed, explain says why",
		   a);
	tell_count(&t, s->awaited, "pod waits for the runtime's file",
		   "pods wait for the runtime's file", a);
	tell_count(&t, s->unrecognised,
		   "pod has servers that are not in clusterDNS: pod-dnsctl check --kubelet FILE",
		   "pods have servers that are not in clusterDNS: pod-dnsctl check --kubelet FILE",
		   a);
	tell_count(&t, s->damaged, "record cannot be read: GC removes it",
		   "records cannot be read: GC removes them", a);
	return t.n;
}
