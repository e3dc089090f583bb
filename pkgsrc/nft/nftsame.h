/* SPDX-License-Identifier: Apache-2.0 */
/* nftsame.h: whether what the kernel shows is what was sent. */
#ifndef PKG_NFTSAME_H
#define PKG_NFTSAME_H

#include "base.h"

struct nlmsghdr;

/*
 * Whether the kernel's message about a set, a chain or a rule says what ours did: each attribute
 * that was sent is there as it was sent, a list with as many entries, a timeout as the kernel's
 * clock rounds it. What the kernel adds (handles, counts, defaults) is not looked at, nor is a
 * set's number, which is the transaction's alone.
 */
bool nft_same(const struct nlmsghdr *theirs, const struct nlmsghdr *ours);

#endif
