/* SPDX-License-Identifier: Apache-2.0 */
/* bytes.h: numbers in the byte order of the network. */
#ifndef POD_DNS_NRI_BYTES_H
#define POD_DNS_NRI_BYTES_H

#include "text.h"

static inline uint32_t bytes_read32(const uint8_t *at)
{
	return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
}

static inline void bytes_put32(struct text *out, uint32_t value)
{
	const char bytes[] = { (char)(value >> 24), (char)(value >> 16), (char)(value >> 8),
			       (char)value };

	text_put(out, bytes, sizeof(bytes));
}

#endif
