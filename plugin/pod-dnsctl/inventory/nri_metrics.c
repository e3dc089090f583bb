/* SPDX-License-Identifier: Apache-2.0 */
/* nri_metrics.c: what `pod-dnsctl metrics` tells of pod-dns-nri. */
#include "pod-dnsctl/inventory/nri_metrics.h"
#include "state/nri_lock.h"

#include <inttypes.h>

static void put_total(struct text *out, const char *name, const char *help, uint64_t n)
{
	text_print(out, "# HELP %s %s\n# TYPE %s counter\n%s %" PRIu64 "\n", name, help, name, name,
		   n);
}

void nri_metrics(struct text *out, const struct rundir *r)
{
	auto_arena arena = { 0 };
	struct nri_report report;

	text_print(out, "# HELP pod_dns_nri_serves 1: the runtime tells pod-dns-nri of pods.\n"
			"# TYPE pod_dns_nri_serves gauge\n");
	text_print(out, "pod_dns_nri_serves %d\n", nri_lock_serves(r));
	if (!nri_lock_read(&report, r, &arena))
		return;
	put_total(out, "pod_dns_nri_pods_total", "Pods that pod-dns-nri was told of.", report.pods);
	put_total(out, "pod_dns_nri_written_total", "Files that pod-dns-nri wrote.",
		  report.written);
	put_total(out, "pod_dns_nri_missed_total", "Files that pod-dns-nri could not write.",
		  report.missed);
	put_total(out, "pod_dns_nri_connections_total", "Connections to the runtime.",
		  report.connections);
}
