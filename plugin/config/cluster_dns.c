/* SPDX-License-Identifier: Apache-2.0 */
/* cluster_dns.c: the addresses of the cluster's DNS. */
#include "config/cluster_dns.h"
#include "config/addr_list.h"
#include "warn.h"

bool cluster_dns_read(struct conf *c, struct warnings *w, struct err *e)
{
	struct addr_list *list = &c->cluster_dns;
	json_t *item;
	size_t i;

	if (!addr_list_make(list, json_array_size(c->cluster_dns_words), e))
		return err_in(e, "clusterDNS");
	json_array_foreach (c->cluster_dns_words, i, item) {
		const char *word = json_string_value(item);

		if (addr_parse(&list->at[list->n], word))
			list->n++;
		else
			warn(w, "invalid-cluster-dns-ip",
			     "clusterDNS[%zu]: \"%s\" is not an IP address: dropped", i, word);
	}
	return true;
}

bool cluster_dns_has(const struct conf *c, const char *server)
{
	struct addr a;

	return addr_parse(&a, server) && addr_list_have(&c->cluster_dns, &a);
}
