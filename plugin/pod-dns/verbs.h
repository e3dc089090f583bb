/* SPDX-License-Identifier: Apache-2.0 */
/* verbs.h: the commands of CNI, each a file that describes itself. */
#ifndef POD_DNS_VERBS_H
#define POD_DNS_VERBS_H

#include "cni/cni.h"

extern const struct verb verb_add, verb_del, verb_check, verb_gc, verb_status, verb_version;

#endif
