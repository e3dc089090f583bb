/*
 * fuzz.h: what the drivers share: the pure middle of an ADD, from decoded JSON to the text of a
 * resolv.conf, and what must hold of any text that it makes.
 */
#ifndef FUZZ_H
#define FUZZ_H

#include <jansson.h>
#include <stddef.h>
#include <stdint.h>

#include "resolv.h"

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

#endif
