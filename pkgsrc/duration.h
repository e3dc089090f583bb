/* SPDX-License-Identifier: Apache-2.0 */
/* duration.h: spans of time as Go and Kubernetes write them: "1h10m5s", "999ms". */
#ifndef PKG_DURATION_H
#define PKG_DURATION_H

#include "base.h"

/*
 * Reads "0", or numbers that each have a unit: ns, us (µs), ms, s, m, h; a number may have
 * decimals. No sign and no blank: what a Kubernetes API lets in, of what Go's time.ParseDuration
 * reads. False for anything else, and for more than Go's 63 bits of nanoseconds.
 */
bool duration_parse(uint64_t *nanoseconds, const char *s) MUST_CHECK;

/* In seconds, half a second and more rounded up (Go's Duration.Round). */
uint64_t duration_seconds(uint64_t nanoseconds);

#endif
