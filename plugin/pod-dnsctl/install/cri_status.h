/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cri_status.h: asks a container runtime which chain it has loaded.
 *
 * A runtime loads a conflist when it sees the folder change. containerd tells what it has loaded in
 * the CRI's Status with verbose=true (info "cniconfig", a go-cni ConfigResult). That is one gRPC
 * call: HTTP/2 by libnghttp2, the few fields of its messages by hand.
 */
#ifndef POD_DNSCTL_CRI_STATUS_H
#define POD_DNSCTL_CRI_STATUS_H

#include "base.h"

enum cri_chain {
	CRI_NO_RUNTIME, /* nothing listens on the socket */
	CRI_UNSEEN,	/* the runtime does not tell what it has loaded */
	CRI_LOADED,	/* what was asked for */
	CRI_NOT_LOADED,
};

enum { CRI_FAULT = 384 };

/*
 * Asks the runtime that listens on the Unix socket `path`. The whole call takes two seconds at
 * most, and reads 4 MiB at most. `wanted` is the text of the conflist that must be loaded; NULL:
 * pod-dns must not be in the loaded chain. CRI_UNSEEN also if the runtime does not read its
 * networks from `folder`. `fault`: why the runtime could not load its networks when it last tried;
 * "": it could, or does not tell.
 */
enum cri_chain cri_status_chain(char fault[static CRI_FAULT], const char *path, const char *folder,
				const char *wanted);

/* Part of a message. */
struct cri_part {
	const uint8_t *at;
	size_t len;
};

/* Evaluates an answer: a StatusResponse of CRI v1 as on the wire. */
enum cri_chain cri_status_read(char fault[static CRI_FAULT], struct cri_part message,
			       const char *folder, const char *wanted);

#endif
