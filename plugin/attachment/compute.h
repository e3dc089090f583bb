/* SPDX-License-Identifier: Apache-2.0 */
/*
 * compute.h: decides a pod's DNS: its resolver configuration, the targets to try, the queries to
 * steer.
 *
 * compute() changes nothing. It reads one file, the node's resolv.conf, and only where the policy
 * needs it or a pod is KEPT. It may be called for many pods of one network. Its caller gathers what
 * is known of the pod in a struct compute_input; compute_for.h does so for a CNI call, a record and
 * a container.
 */
#ifndef POD_DNS_COMPUTE_H
#define POD_DNS_COMPUTE_H

#include "attachment/runtime_dns.h"
#include "config/conf_file.h"
#include "config/node_resolv.h"
#include "policy/policy.h"
#include "steer/rules/steering.h"
#include "targets/target.h"

/* All that is known of a pod. Everything that this points to must outlive the result. */
struct compute_input {
	const struct network_conf *network;
	struct pod pod;
	enum mode mode;			 /* of compute_mode() */
	struct request request;		 /* may be blank where compute_is_needed() is false */
	struct runtime_dns runtime_dns;	 /* likewise */
	struct resolv prev;		 /* dns of prevResult, cleaned */
	bool ipv4_only;			 /* prevResult gives the pod IPv4 addresses, and no other */
	struct node_resolv *node_resolv; /* one may serve all pods of the network */
	const struct sandbox *sandbox;	 /* located; NULL: no targets are planned */
	const struct pod_netns *netns;	 /* where there is a sandbox */
};

/* A resolver configuration for the pod. */
struct outcome {
	int policy;		  /* enum policy: the one that gave the base */
	struct resolv resolv;	  /* after limits and guards */
	const char *text;	  /* resolv as a file; NULL: there is nothing to write */
	struct warnings warnings; /* used where two outcomes are computed */
};

struct computed {
	const struct compute_input *input;
	struct decision decision;
	struct request request; /* the input's, without the parts that were ignored as faulty */
	struct outcome outcome; /* of a COMPUTED or KEPT pod */
	/*
	 * Autopath by the cache: only a pod that is steered can resolve the names of its zone. So
	 * the rules are installed before the file is written. If that fails, `unsteered` is the
	 * pod's outcome.
	 */
	bool needs_rules;
	struct outcome unsteered;
	bool of_node;		  /* KEPT, with the lists that kubelet's `Default` gives now */
	bool serves;		  /* the pod gets the outcome; else only the record does */
	bool config_file_fault;	  /* the pod is PASSED because its configFile is faulty */
	bool has_file;		  /* there is a text to write, now or (DEFERRED) later */
	struct plan plan;	  /* the targets to try for it, in order */
	bool measures;		  /* the pod's DNS is measured: health.h */
	bool steers;		  /* the pod gets the rules that `steering` describes */
	struct steering steering; /* filled for an observed pod too; mode STEER_OFF: none */
	struct arena *arena;	  /* holds what this points to */
};

/* The mode for the pod: its rule's, else the network's. */
enum mode compute_mode(const struct network_conf *network, const struct pod *pod);

/* False: the pod is PASSED whatever it requests and the runtime decided. */
bool compute_is_needed(const struct compute_input *in);

/* Fills *c for a pod that is PASSED. */
void compute_pass(struct computed *c, const struct compute_input *in, struct arena *a);

/*
 * ERR_CONFIG: policy None without a server. ERR_IO: the node's file cannot be read. A fault of the
 * pod's request is a warning instead under onPodError `ignore`, a fault of a configFile always is.
 */
bool compute(struct computed *c, const struct compute_input *in, struct warnings *w, struct err *e);

/* The pod's outcome, by whether its rules are installed. Passes on that outcome's warnings. */
const struct outcome *computed_pick(const struct computed *c, bool steered, struct warnings *w);

#endif
