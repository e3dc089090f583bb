/* SPDX-License-Identifier: Apache-2.0 */
/* oci.h: reads what an OCI runtime tells a hook (runtime-spec, "State"; config.md, "Mounts"). */
#ifndef POD_DNS_OCI_H
#define POD_DNS_OCI_H

#include "err.h"

#include <jansson.h>

struct oci_container {
	json_t *state;	    /* owned */
	json_t *config;	    /* owned: the bundle's config.json; NULL before oci_read_bundle() */
	const char *id;	    /* points into the above, as all below */
	const char *bundle; /* an absolute path */
	const json_t *annotations; /* an object, or NULL */
	const char *sandbox_id;	   /* of a CRI container; NULL: it is not one */
	const char *named_file;	   /* the pod's file according to CRI-O; or NULL */
	bool own_network;	   /* a network namespace: not the host's */
	/* The source of the mount on /etc/resolv.conf; NULL: there is none. */
	const char *resolv_conf;
};

/* Reads the state. ERR_IO, ERR_DECODE. The caller calls oci_done() in any case. */
bool oci_read_state(struct oci_container *c, int fd, struct err *e);

bool oci_read_bundle(struct oci_container *c, struct err *e);

void oci_done(struct oci_container *c);
#define auto_oci __attribute__((cleanup(oci_done))) struct oci_container

#endif
