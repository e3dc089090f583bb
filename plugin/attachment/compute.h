/*
 * compute.h: all that ADD finds out and decides before it acts. It reads files and changes none.
 */
#ifndef POD_DNS_COMPUTE_H
#define POD_DNS_COMPUTE_H

#include "config/request.h"
#include "cni/cni.h"
#include "config/conf_file.h"
#include "attachment/runtime_dns.h"
#include "policy/policy.h"
#include "targets/sandbox.h"
#include "text.h"

struct computed {
	struct network_conf network;
	struct args args;
	struct pod pod;
	enum mode mode;
	struct request ask;
	struct request_sources sources;
	struct decision decision;
	struct resolv resolv; /* of a COMPUTED or LEFT pod: with limits and guards */
	const char *text;     /* resolv as a file; NULL: there is nothing to write */
	struct runtime_dns finished;
	/* What the lists borrow from. */
	struct resolv prev, node;
	json_t *kept; /* owned: the record that this goes on from, or annotations */
	struct text node_text;
	struct arena *arena;
};

/*
 * Reaches one, or fails as design and pod-dns(8) say ADD fails; under `observe` what would fail is
 * a warning and the pod passes. Cleans the call's prevResult, and locates the
 * runtime's file of the pod. The caller calls computed_done() and sandbox_done() in either case.
 */
bool compute_for_call(struct computed *v, const struct call *call, struct sandbox *sandbox,
		      struct warnings *w, struct err *e);

/*
 * For a PENDING record: what the runtime's text, now that it is there, comes to with what the
 * record keeps of the call. v holds on to the record.
 */
bool compute_for_record(struct computed *v, json_t *record, const char *runtime_text,
			struct warnings *w, struct err *e);

/*
 * For a container that no CNI is called for: `path` is a file with the keys of a configFile, the
 * annotations are its channel. A wrong file is a warning and no text.
 */
bool compute_for_container(struct computed *v, const char *path, const json_t *annotations,
			   struct warnings *w, struct err *e);

void computed_done(struct computed *v);

#endif
