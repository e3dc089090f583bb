/* SPDX-License-Identifier: Apache-2.0 */
/* conf.h: the network's configuration: its decode tables and checks. */
#ifndef POD_DNS_CONF_H
#define POD_DNS_CONF_H

#include "domain.h"

struct warnings;

/* Sets the defaults. conf_done() gives back what decoding took. */
void conf_init(struct conf *c);
void conf_done(struct conf *c);

/* The tables of the plugin's object in a conflist, NULL-terminated. */
extern const struct json_table *const conf_tables[];

/* Decodes the plugin's object of a conflist. Keys that are not ours are ignored. */
bool conf_decode(struct conf *c, const json_t *network, struct err *e);

/* Decodes a configFile into the same struct. An unknown key, or one that the conflist has too, is
 * an error. */
bool conf_decode_file(struct conf *c, const json_t *network, const json_t *file, struct err *e);

/*
 * Checks that span keys; all are decoded. It also parses clusterDNS (cluster_dns_read()).
 * ERR_UNSUPPORTED for combinations that this version does not do.
 */
bool conf_check(struct conf *c, struct warnings *w, struct err *e);

/* Our keys of the conflist and the file (or NULL), in one object; the caller's. */
json_t *conf_own_keys(const json_t *network, const json_t *file);

/* A hash of the object: equal for equal configurations. */
uint64_t conf_hash(const json_t *own);

/* Warns of each unknown key that is probably one of ours, misspelt. */
/* Whether pod-dns or CNI reads a key of that name in a network's object. */
bool conf_key_is_read(const char *key);

void conf_warn_misspelt(const json_t *network, struct warnings *w);

/*
 * MODE_OBSERVE or MODE_OFF if no pod is served: the object has that mode and no rule enforces.
 * Else MODE_ENFORCE. Looks at the modes only, so that other keys may be faulty.
 */
enum mode conf_idle_mode(const json_t *own);

/* Whether the mode, or that of a rule, is MODE_ENFORCE. */
bool conf_enforces(const struct conf *c);

/* The mode of a pod for which `rule` (or NULL) counts. */
enum mode conf_mode(const struct conf *c, const struct rule *rule);

/* The key `families` for a pod for which `rule` (or NULL) counts. */
enum families conf_families(const struct conf *c, const struct rule *rule);

/* The key `measure` for a pod for which `rule` (or NULL) counts. */
bool conf_measures(const struct conf *c, const struct rule *rule);

/*
 * Whether ADD fails for a pod that requests nothing, because it has no server: its policy is None,
 * the operator gives no server, and pods may not set theirs.
 */
bool conf_lacks_server(const struct conf *c, const struct rule *rule);

#endif
