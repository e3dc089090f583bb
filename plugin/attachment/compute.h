/* SPDX-License-Identifier: Apache-2.0 */
/*
 * compute.h: a pod's DNS, computed: what it resolves with, and which of its queries are steered.
 *
 * compute() changes nothing and reads one file, the node's resolv.conf, where the policy needs it.
 * It may be called for many pods of one network. Who calls it gathers what is known of a pod in a
 * struct compute_input; compute_for.h does that for a CNI call, a record and a container.
 */
#ifndef POD_DNS_COMPUTE_H
#define POD_DNS_COMPUTE_H

#include "attachment/runtime_dns.h"
#include "config/conf_file.h"
#include "config/nodefile.h"
#include "policy/policy.h"
#include "steer/steering.h"

/* All that is known of a pod. What it borrows must outlive the result. */
struct compute_input {
	const struct network_conf *network;
	struct pod pod;
	enum mode mode;			/* compute_mode() */
	struct request request;		/* not read where compute_is_needed() is false */
	struct runtime_dns runtime_dns; /* likewise */
	struct resolv prev;		/* dns of prevResult, cleaned */
	struct nodefile *node;		/* may serve all pods of the network */
};

/* What a pod resolves with. */
struct outcome {
	int policy;		  /* enum policy: whose base was taken */
	struct resolv resolv;	  /* with limits and guards */
	const char *text;	  /* resolv as a file; NULL: there is nothing to write */
	struct warnings warnings; /* of this outcome, where there are two */
};

struct computed {
	const struct compute_input *input;
	struct decision decision;
	struct request request; /* the input's, without what was ignored for its faults */
	struct outcome outcome; /* of a COMPUTED or LEFT pod */
	/* Autopath by the cache: names of its zone resolve for a pod that is steered, alone. So the
	 * rules must be there before the file is written; without them it is this outcome. */
	bool needs_rules;
	struct outcome unsteered;
	bool serves;		  /* the outcome is for the pod, not only for the record */
	bool config_file_fault;	  /* the pod is PASSED because of what a configFile says */
	bool steers;		  /* the pod is to get rules, as `steering` says */
	struct steering steering; /* an observed pod's too; mode STEER_OFF: none */
	struct arena *arena;	  /* what was made for it */
};

/* The network's mode for the pod: what its rule says, else the network. */
enum mode compute_mode(const struct network_conf *network, const struct pod *pod);

/* False: the pod is PASSED, whatever it and the runtime say. */
bool compute_is_needed(const struct compute_input *in);

/* The pod is left as it is: PASSED. */
void compute_pass(struct computed *c, const struct compute_input *in, struct arena *a);

/*
 * ERR_CONFIG, ERR_IO: None without a server, a node's file that cannot be read. What a pod's
 * channel is at fault for is a warning with onPodError `ignore`, what a configFile is at fault for
 * always is.
 */
bool compute(struct computed *c, const struct compute_input *in, struct warnings *w, struct err *e);

/* Which outcome it is, now that the pod has its rules or has not. Tells that one's warnings. */
const struct outcome *computed_pick(const struct computed *c, bool steered, struct warnings *w);

#endif
