/* SPDX-License-Identifier: Apache-2.0 */
/*
 * oci.h: what an OCI runtime tells a hook (runtime-spec, "State" and config.md "Mounts").
 */
#ifndef POD_DNS_OCI_H
#define POD_DNS_OCI_H

#include "err.h"

#include <jansson.h>

struct oci_container {
	json_t *state;	    /* owned */
	json_t *config;	    /* owned: the bundle's config.json; NULL before oci_read_bundle() */
	const char *id;	    /* borrowed, as all below */
	const char *bundle; /* an absolute path */
	const json_t *annotations; /* an object, or NULL */
	const char *sandbox_id;	   /* of a CRI container; NULL: it is none */
	const char *told;	   /* the pod's file, as CRI-O says; NULL: it does not */
	bool own_network;	   /* a network namespace: not the host's */
	/* The source of its mount on /etc/resolv.conf; NULL: it has none. */
	const char *resolv_conf;
};

/* Reads the state: ERR_IO, ERR_DECODE. oci_done() gives back, in either case. */
bool oci_read_state(struct oci_container *c, int fd, struct err *e);

bool oci_read_bundle(struct oci_container *c, struct err *e);

void oci_done(struct oci_container *c);
#define auto_oci __attribute__((cleanup(oci_done))) struct oci_container

#endif
