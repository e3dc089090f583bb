/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cri_status.h: asks a container runtime which plugins it has loaded.
 *
 * A runtime loads a conflist when it sees the folder change. containerd tells what it has loaded in
 * the CRI's Status with verbose=true (info "cniconfig", a go-cni ConfigResult). That is one gRPC
 * call, written here by hand, since a gRPC library would be larger than this whole program: RFC
 * 9113; HPACK without Huffman or a dynamic table, RFC 7541; the gRPC wire format.
 */
#ifndef POD_DNSCTL_CRI_STATUS_H
#define POD_DNSCTL_CRI_STATUS_H

#include "base.h"

#include <jansson.h>

enum cri_chain {
	CRI_NO_RUNTIME, /* nobody listens on the socket */
	CRI_UNSEEN,	/* the runtime does not tell what it has loaded */
	CRI_WITH_US,	/* the loaded chain has pod-dns */
	CRI_WITHOUT_US,
};

/*
 * Asks the runtime that listens on the Unix socket `path`, and waits two seconds at most.
 * CRI_UNSEEN also if it does not read its networks from `folder`.
 */
enum cri_chain cri_status_chain(const char *path, const char *folder);

/* Evaluates an answer: a StatusResponse of CRI v1 as on the wire. */
enum cri_chain cri_status_read(const uint8_t *message, size_t len, const char *folder);

#endif
