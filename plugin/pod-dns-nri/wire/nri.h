/* SPDX-License-Identifier: Apache-2.0 */
/*
 * nri.h: the messages of NRI that a plugin for pods needs (nri.pkg.api.v1alpha1).
 *
 * The event RunPodSandbox comes as StateChange up to NRI 0.11, and as a method from 0.12 on.
 */
#ifndef POD_DNS_NRI_NRI_H
#define POD_DNS_NRI_NRI_H

#include "err.h"
#include "text.h"
#include "pod-dns-nri/wire/ttrpc.h"

#define NRI_PLUGIN  "nri.pkg.api.v1alpha1.Plugin"
#define NRI_RUNTIME "nri.pkg.api.v1alpha1.Runtime"

enum nri_call {
	NRI_UNKNOWN,
	NRI_CONFIGURE,
	NRI_SYNCHRONIZE,
	NRI_RUN_POD,
	NRI_OTHER_EVENT, /* not subscribed to; to be answered all the same */
};

struct nri_pod {
	char id[256]; /* CNI's container ID; empty: none, or too long to be one */
	char name[256], namespace[256], uid[256];
	bool has_netns;	  /* a network namespace is named */
	char netns[4096]; /* its path; "": it is too long */
};

/* A call of the runtime. */
struct nri_request {
	enum nri_call call;
	char runtime[64], version[64]; /* Configure */
	bool more;		       /* Synchronize: another part follows */
	struct nri_pod pod;	       /* RunPodSandbox */
};

/* ERR_DECODE: the message is not protobuf. */
bool nri_read(struct nri_request *request, const struct ttrpc_request *call, struct err *e);

/* Each appends a whole message of ttrpc. */
void nri_put_register(struct text *out, uint32_t stream, const char *name, const char *index);
void nri_put_answer(struct text *out, uint32_t stream, const struct nri_request *request);

#endif
