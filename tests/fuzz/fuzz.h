/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fuzz.h: what the drivers share: the pure middle of an ADD, from decoded JSON to the text of a
 * resolv.conf, the verbs of pod-dnsctl, and what must hold of any text that they make.
 */
#ifndef FUZZ_H
#define FUZZ_H

#include <jansson.h>
#include <stddef.h>
#include <stdint.h>

#include "resolv.h"

struct ctl_verb;

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The bytes with a NUL behind them; the caller frees. */
char *fuzz_copy(const uint8_t *data, size_t size);

/* NETWORK as stdin and CNI_ARGS, through decoding, policy, merge, limits and guards. */
void fuzz_call(const json_t *network, const char *cni_args);

/*
 * Aborts unless R, whose entries are words, renders to a text that reads back to the same text, and
 * has nothing in it but lines that a resolver knows, without a control character.
 */
void fuzz_check(const struct resolv *r);

/* Makes /dev/fd/FD a regular file of these bytes. */
void fuzz_file(int fd, const void *bytes, size_t size);

/*
 * Runs a verb of pod-dnsctl and returns its status; stdout becomes *text, the caller's. Aborts
 * unless all that it prints is visible, it could print it, and, asked for JSON ("-ojson" is an
 * argument), stdout is empty or one document.
 */
int fuzz_verb(char **text, const struct ctl_verb *verb, char *const argv[]);

/* Aborts where a text holds what a terminal must not see: a control character, no UTF-8. */
void fuzz_check_visible(const char *text);

#endif
