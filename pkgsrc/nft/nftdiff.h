/* SPDX-License-Identifier: Apache-2.0 */
/* nftdiff.h: compares an installed table with a batch. */
#ifndef PKG_NFTDIFF_H
#define PKG_NFTDIFF_H

#include "nft/nft.h"

/*
 * Compares the sets, chains and rules of a batch with those that the kernel has. Each attribute
 * that was sent must be there as it was sent, apart from timeouts, which the kernel rounds. What
 * the kernel adds (handles, counts, defaults), the table itself and elements are not compared.
 *
 * `difference` becomes "" or names the first one: `rule "probe the cache" of chain "query-1" is
 * missing`, `… is not ours`, `… was changed`, `set "alive" …`. Only so much is read, whatever
 * others put into the table; beyond that the difference says that there is more. ERR_STEER: the
 * kernel gives no answer.
 */
bool nftdiff(const struct nl *nl, const struct nft *built, char *difference, size_t room,
	     int *refused, struct err *e);

#endif
