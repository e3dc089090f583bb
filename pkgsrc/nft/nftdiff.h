/* SPDX-License-Identifier: Apache-2.0 */
/* nftdiff.h: what is installed against what was built. */
#ifndef PKG_NFTDIFF_H
#define PKG_NFTDIFF_H

#include "nft/nft.h"

/*
 * Compares the sets, chains and rules of a batch with those that the kernel has: each attribute
 * that was sent must be there as it was sent, timeouts as the kernel's clock rounds them; what the
 * kernel adds (handles, counts, defaults) is not looked at. The table itself and elements are not
 * either.
 *
 * `difference` becomes "", or the first one in words: `rule "probe the cache" of chain
 * "fall-back-1" is missing`, `… is not ours`, `… was changed`, `set "alive" …`. How much is read is
 * bounded, whatever somebody put into the table: it is then said that there is more. Fails with
 * ERR_STEER where the kernel cannot be asked.
 */
bool nftdiff(const struct nl *nl, const struct nft *built, char *difference, size_t room,
	     int *refused, struct err *e);

#endif
