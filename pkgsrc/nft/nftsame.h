/* SPDX-License-Identifier: Apache-2.0 */
/* nftsame.h: compares a message from the kernel with the one that was sent. */
#ifndef PKG_NFTSAME_H
#define PKG_NFTSAME_H

#include "base.h"

struct nlmsghdr;

/*
 * Whether the kernel's message about a set, a chain or a rule has each attribute of ours as it was
 * sent, lists with as many entries, timeouts as the kernel rounds them. What the kernel adds
 * (handles, counts, defaults) is not compared, nor is a set's number, which only the transaction
 * has.
 */
bool nft_same(const struct nlmsghdr *theirs, const struct nlmsghdr *ours);

#endif
