/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cri_status.h: which plugins a running container runtime calls, as it says itself.
 *
 * A runtime loads a conflist when it sees the folder change. What it has loaded, containerd tells
 * in the CRI's Status with verbose=true (info "cniconfig", a go-cni ConfigResult): one gRPC call,
 * written here by hand (RFC 9113; HPACK without Huffman or a dynamic table, RFC 7541; the gRPC
 * wire format), since a gRPC library would be larger than this whole program.
 */
#ifndef POD_DNSCTL_CRI_STATUS_H
#define POD_DNSCTL_CRI_STATUS_H

#include "base.h"

#include <jansson.h>

enum cri_chain {
	CRI_NO_RUNTIME, /* nobody listens on the socket */
	CRI_UNSEEN,	/* the runtime answers, and does not say what it has loaded */
	CRI_WITH_US,	/* what it has loaded calls pod-dns */
	CRI_WITHOUT_US,
};

/*
 * Asks the runtime that listens on the Unix socket `path`; waits two seconds at most. `folder`:
 * the runtime must read its networks from there, else it is CRI_UNSEEN.
 */
enum cri_chain cri_status_chain(const char *path, const char *folder);

/* The same of a runtime's answer: a StatusResponse of CRI v1 as on the wire. */
enum cri_chain cri_status_read(const uint8_t *message, size_t len, const char *folder);

#endif
