/* SPDX-License-Identifier: Apache-2.0 */
/* duration.h: spans of time as Go and Kubernetes write them: "1h10m5s", "999ms". */
#ifndef PKG_DURATION_H
#define PKG_DURATION_H

#include "base.h"

/*
 * Reads "0" or numbers, with or without decimals, each with a unit: ns, us (µs), ms, s, m, h. No
 * sign and no blank: that is what a Kubernetes API admits of Go's time.ParseDuration. False for
 * anything else, and beyond Go's 63 bits of nanoseconds.
 */
bool duration_parse(uint64_t *nanoseconds, const char *s) MUST_CHECK;

/* Rounded to seconds, half a second up (Go's Duration.Round). */
uint64_t duration_seconds(uint64_t nanoseconds);

#endif
