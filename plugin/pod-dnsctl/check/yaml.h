/* SPDX-License-Identifier: Apache-2.0 */
/* yaml.h: reads YAML as JSON: kubelet's configuration file is YAML on most nodes. */
#ifndef POD_DNSCTL_YAML_H
#define POD_DNSCTL_YAML_H

#include "err.h"

#include <jansson.h>

/*
 * The first document, by YAML's core schema: maps with string keys, lists, strings, integers,
 * true and false, null. The caller's; NULL: ERR_DECODE names the line. Anchors are refused: they
 * make a small file large.
 */
json_t *yaml_read(const char *text, size_t len, struct err *e);

#endif
