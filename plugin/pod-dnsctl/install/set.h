/* SPDX-License-Identifier: Apache-2.0 */
/* set.h: the keys of --set, and the plugin's object that they make. */
#ifndef POD_DNSCTL_SET_H
#define POD_DNSCTL_SET_H

#include "pod-dnsctl/cli/ctl.h"

#include <jansson.h>

/* Reads the values of --set. The caller's; NULL: ERR_CONFIG names the key, and what was probably
 * meant. */
json_t *set_read(const struct ctl *ctl, struct err *e);

/* The object of the conflist `text`, or a new one, with the keys of --set. The caller's; NULL:
 * ERR_IO. */
json_t *set_object(const json_t *set, const char *text, struct err *e);

/* The key that was meant by one that pod-dns does not read; NULL: no key is similar. */
const char *set_guess_key(const char *key);

#endif
