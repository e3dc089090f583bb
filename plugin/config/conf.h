/* SPDX-License-Identifier: Apache-2.0 */
/* conf.h: the network's configuration: its decode tables and checks. */
#ifndef POD_DNS_CONF_H
#define POD_DNS_CONF_H

#include "domain.h"

struct warnings;

/* Everything as it is when no key is written. conf_done() gives back what decoding took. */
void conf_init(struct conf *c);
void conf_done(struct conf *c);

/* The tables of the plugin's object in a conflist, NULL-terminated. */
extern const struct json_table *const conf_tables[];

/* Decodes it; keys that are not ours are ignored. */
bool conf_decode(struct conf *c, const json_t *network, struct err *e);

/* The keys of a configFile, over those of the conflist: an unknown key, or one in both, is an
 * error. */
bool conf_decode_file(struct conf *c, const json_t *network, const json_t *file, struct err *e);

/*
 * What spans keys, once all are decoded. Parses clusterDNS: an entry that is no address is dropped
 * with a warning, as kubelet does. ERR_UNSUPPORTED for what this version does not do.
 */
bool conf_check(struct conf *c, struct warnings *w, struct err *e);

/* The keys that are ours, of the conflist and the file (or NULL), as one object: the caller's. */
json_t *conf_own_keys(const json_t *network, const json_t *file);

/* "The same configuration": a hash over such an object. */
uint64_t conf_hash(const json_t *own);

/* A warning for each key of others that was probably meant to be one of ours. */
void conf_warn_misspelt(const json_t *network, struct warnings *w);

/*
 * The mode of an object whose keys say that no pod is served: `observe` or `off`, and no rule that
 * enforces. Looks at the modes alone, whatever else is wrong. MODE_ENFORCE: pods are served, or it
 * is not to be known.
 */
enum mode conf_idle_mode(const json_t *own);

/* Whether some pod is served: the mode, or that of a rule. */
bool conf_enforces(const struct conf *c);

/* conf's mode for a pod under `rule` (or NULL). */
enum mode conf_mode(const struct conf *c, const struct rule *rule);

#endif
