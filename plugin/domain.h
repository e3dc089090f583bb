/* SPDX-License-Identifier: Apache-2.0 */
/*
 * domain.h: the structs that all rooms share.
 *
 * A call brings a network's configuration (struct conf), a pod (struct pod) and what the pod asks
 * for (struct request). Under Kubernetes the runtime also brings the DNS configuration that kubelet
 * made for the pod. A decision (struct decision) follows from these, and from the decision the
 * pod's resolver configuration (struct resolv; each entry is marked with its origin). A target is
 * the file that the pod reads it from.
 */
#ifndef POD_DNS_DOMAIN_H
#define POD_DNS_DOMAIN_H

#include "addr.h"
#include "json.h"
#include "resolv.h"

enum { STRINGS_MAX = 256, RULES_MAX = 1024, SERVERS_MAX = 64, TARGETS_MAX = 16 };

/* A list of addresses of a configuration. */
struct addr_list {
	size_t n;
	struct addr *at; /* owned: conf_done() */
};

enum policy {
	POLICY_UNSET = -1,
	CLUSTER_FIRST,
	CLUSTER_FIRST_WITH_HOST_NET,
	DEFAULT,
	NONE,
	KEEP,
	CLUSTER_FIRST_WITH_AUTOPATH,
	CUSTOM, /* KEP-504's name of None, read as NONE */
};

enum mode { MODE_UNSET = -1, MODE_ENFORCE, MODE_OBSERVE, MODE_OFF };
/* The server of the autopath zone. */
enum autopath { AUTOPATH_CACHE, AUTOPATH_CLUSTER };
enum on_servfail { SERVFAIL_PASS, SERVFAIL_FALLBACK };
enum guards { GUARDS_FIX, GUARDS_WARN, GUARDS_OFF };
enum on_pod_error { POD_ERROR_FAIL, POD_ERROR_IGNORE };
enum families { FAMILIES_UNSET = -1, FAMILIES_OFF, FAMILIES_AUTO };
enum steer { STEER_UNSET = -1, STEER_OFF, STEER_POD, STEER_NODE, STEER_DNAT, STEER_NAMESERVER };

/* The origin of an entry of a resolver configuration: the mark in struct resolv_entry. */
enum from {
	FROM_POLICY,
	FROM_NODE,     /* the node's resolv.conf */
	FROM_RUNTIME,  /* the runtime's configuration: kubelet's entries, and the pod's in it */
	FROM_PREV,     /* dns of prevResult: an IPAM's or an earlier plugin's */
	FROM_NETWORK,  /* the network's dnsConfig */
	FROM_POD,      /* the pod's dnsConfig in one of the four channels */
	FROM_FAMILIES, /* the key `families` */
	FROM_RULE,     /* + the index of the rule */
};

/* dnsConfig as it was written: KEP-504's PodDNSConfig. The lists are those of the document. */
struct dns_config {
	bool present; /* also for `{}`: then the merge removes duplicates, as in kubelet */
	const json_t *nameservers, *searches; /* of strings */
	const json_t *options;		      /* of {name, value}: a string, an integer or none */
};

struct rule {
	const json_t *namespaces, *pods; /* globs; NULL: all */
	bool host_network;		 /* it matches pods on the host's network, and no other */
	int policy;			 /* enum policy */
	int mode;
	int families; /* enum families */
	int measure;  /* false or true; -1: the network's */
	int steer;
	bool steer_default; /* `true`: the network's mode, or `pod` */
	struct dns_config dns;
};

struct rules {
	size_t n;
	struct rule *at; /* owned: rule_done_all() */
};

/* The fields that a pod may set in the four channels. */
struct pod_may {
	bool written;
	bool policy, nameservers, searches, options;
};

struct limits {
	unsigned nameservers, searches, search_chars;
};

struct node_cache {
	bool present;
	struct addr_list addresses, fallback;
	int steer;
	enum tri fail_open;
	enum tri tcp;
	int on_servfail;
	bool required;
	struct {
		unsigned alive, grace, down, probes;
	} timers;
};

/* The network's configuration: the keys of pod-dns.conf(5). */
struct conf {
	const json_t *cluster_dns_words; /* clusterDNS, as written */
	struct addr_list cluster_dns;
	const char *cluster_domain;
	const char *resolv_conf; /* NULL: the default, with its look at systemd-resolved */
	const char *config_file;
	bool partial; /* keys of the configFile are missing: checks that span keys must pass */
	int policy;
	int mode;
	int families; /* enum families */
	bool measure;
	int guards;
	int on_pod_error;
	struct dns_config dns;
	struct rules rules;
	struct pod_may pod_may;
	struct limits limits;
	const json_t *targets; /* of strings; NULL: `auto` */
	struct node_cache node_cache;
	const json_t *servers; /* zone forwarders, as written; only `corefile` uses them */
	int autopath;	       /* enum autopath */
	const char *autopath_zone;
};

struct pod {
	const char *name, *namespace, *uid; /* "" where the runtime does not say; never NULL */
	bool cri;			    /* a call of a CRI runtime */
	bool host_network;		    /* on the host's network: CNI is not called for it */
};

/* The pod's request, from the four channels. */
struct request {
	int policy; /* POLICY_UNSET: nothing */
	const char *policy_channel;
	struct dns_config dns;
	const char *dns_channel;
};

enum state {
	COMPUTED, /* the plugin makes the pod's configuration */
	KEPT,	  /* the runtime's configuration stays, plus the pod's own dnsConfig */
	PASSED,	  /* prevResult is printed as it came, and no file is written */
	DEFERRED, /* decided later: the runtime has not written its file yet */
};

struct decision {
	enum state state;
	int policy;	   /* enum policy: the policy of the base; of a kept pod: KEEP */
	int policy_from;   /* enum from: who chose it */
	bool unrecognised; /* KEPT, because kubelet and conflist differ in the cluster DNS */
	bool from_kubelet; /* COMPUTED from kubelet's cluster-first configuration */
	bool needs_node;   /* the node's file must be read */
	const struct rule *rule;
};

/* Which file the pod reads; pod-dns(8), TARGETS. */
enum target_kind { TARGET_SANDBOX, TARGET_LATE, TARGET_ROOTFS, TARGET_NETNS };

enum { ADDRESSES_MAX = 16 }; /* of one attachment; the node's table steers no more */

/* The addresses of a pod, without duplicates. */
struct pod_addrs {
	size_t n;
	struct addr at[ADDRESSES_MAX];
};

enum { STEERING_PAIRS = 8 }; /* of both families */

struct steer_pair {
	struct addr cluster, cache;
	struct addr fallback; /* the same as cluster where none is configured */
};

/* Optional parts of a table. IPv4 and IPv6 have separate modules, so each has its own. */
struct features {
	bool dup;    /* a copy of a query probes the cache; false: the query itself does */
	bool socket; /* mode node looks whether the cache has a socket; false: it does not */
};
#define FEATURES_ALL ((struct features){ .dup = true, .socket = true })

/* The data that a pod's steering rules are made from. */
struct steering {
	enum steer mode; /* STEER_POD, STEER_NODE, STEER_DNAT */
	bool fail_open;	 /* unused by STEER_DNAT */
	bool tcp;
	bool servfail_falls_back;    /* a query that the cache failed is retried at the cluster's */
	bool postrouting[2];	     /* STEER_POD: queries take the route to the cluster address */
	struct features features[2]; /* by family: v6 is 1 */
	unsigned alive, grace, down; /* ms */
	unsigned probes;	     /* per second */
	size_t n;
	struct steer_pair at[STEERING_PAIRS];
};

#endif
