/* SPDX-License-Identifier: Apache-2.0 */
/*
 * record.h: the record of an attachment: what ADD read, decided and did.
 *
 * DEL, CHECK, GC, the sweep and pod-dnsctl work from it. It is a JSON object (pod-dns(8), FILES).
 * It is written before the first target and removed after the last, so that what a killed process
 * leaves can be found. Only this module knows its keys: all others use struct record.
 */
#ifndef POD_DNS_RECORD_H
#define POD_DNS_RECORD_H

#include "arena.h"
#include "domain.h"
#include "file.h"
#include "state/rundir.h"
#include "warn.h"

enum {
	RECORD_VERSION = 1,
	RECORD_NAME = 255, /* NAME_MAX */
	RECORD_PATH = 2 * RECORD_NAME + 2,
	RECORD_WARNINGS = 2 * WARNINGS_MAX, /* of ADD, and of a decision made later */
	RECORD_WRITTEN = 4,
};

/* An attachment: CNI's (network name, container, interface). */
struct attachment {
	const char *network, *container_id, *ifname;
};

/* The interface of a pod on the host's network: CNI is not called for it, and gives it none. */
#define RECORD_HOST_IFNAME "-"

/* Its record's path below the run folder. ERR_ENV where a name would be over 255 bytes. */
bool record_path(char out[static RECORD_PATH], const struct attachment *at, struct err *e);

/* Whether it is the path of a record of a pod on the host's network. */
bool record_is_host_pods(const char *id);

/* The container's ID in the path of a record. */
void record_container(char out[static RECORD_NAME + 1], const char *id);

/*** what it holds ***/

/* The outcome for a file that the runtime writes after ADD. */
enum record_late { RECORD_NOT_LATE, RECORD_AWAITED, RECORD_WRITTEN_LATE, RECORD_MISSED };

struct record_netns {
	const char *path; /* NULL: not known */
	struct file_id id;
	uint64_t cookie; /* netns_cookie(); 0: unknown */
};

struct record_decision {
	int state; /* enum state */
	bool unrecognised;
	int policy; /* POLICY_UNSET unless COMPUTED */
	int from;   /* the origin of the choice: enum from; -1: unknown */
};

struct record_inputs {
	const char *runtime_dns;  /* where the runtime's configuration came from; NULL: none */
	const char *runtime_text; /* of the runtime's file, as first read or as expected */
	bool of_node;		  /* that text is what kubelet's `Default` gave when it was read */
	bool ipv4_only;		  /* prevResult gave the pod IPv4 addresses, and no other */
	const char *dns_policy, *dns_config; /* the channel that requested one; NULL: none */
};

/* The `why` of a runtime's file that keeps the runtime's text: the pod is KEPT. */
#define RECORD_KEPT "left: the runtime's text stays"

struct record_target {
	int kind; /* enum target_kind */
	const char *path;
	bool taken;
	const char *why; /* why it was not taken; NULL: it was, or was not tried */
};

struct record_steering {
	struct steering plan; /* mode STEER_OFF: none */
	struct pod_addrs pod_addrs;
	bool installed; /* ADD could install it */
};

/* The parts of the call that the later decision for a DEFERRED pod needs. */
struct record_deferred {
	const json_t *conf; /* the plugin's own keys; NULL: nothing is deferred */
	const char *config_file;
	bool keep;	       /* the pod requested Keep */
	struct dns_config dns; /* as the pod requested; items are not checked */
};

struct record {
	uint64_t config; /* conf_hash() of the configuration */
	struct attachment at;
	struct record_netns netns;
	struct pod pod;
	const char *trace; /* the traceparent of ADD; NULL: none */
	bool adopted;	   /* the pod ran before it had a record: adopt.h */
	bool adopting;	   /* an adoption has begun; it is not over, or was killed */
	bool measured;	   /* health.h: tables measure the pod's DNS */
	int mode;	   /* enum mode */
	int steer; /* enum steer: the configured mode; STEER_UNSET: the record does not say */
	struct record_decision decision;
	struct record_inputs inputs;
	struct resolv dns;     /* of a COMPUTED or KEPT pod */
	const json_t *printed; /* the `dns` that ADD printed; NULL: prevResult's, or none */
	const char *text;      /* what the file should hold; NULL: nothing is written */
	struct {
		size_t n;
		const char *at[RECORD_WRITTEN];
	} written;	  /* texts of ours that the runtime's file may hold: record_wrote() */
	const char *file; /* the runtime's file that is written, now or later; NULL: none */
	int late;	  /* enum record_late */
	const char *late_why;
	struct record_deferred deferred;
	struct {
		size_t n;
		struct warning at[RECORD_WARNINGS];
	} warnings;
	struct {
		size_t n;
		struct record_target at[TARGETS_MAX];
	} targets;
	struct record_steering steering;
	/* Owned: what a record that was read points into, its strings and the lists of dns. */
	json_t *document;
	struct arena arena;
};

/* An empty one. */
#define RECORD_BLANK                                                                 \
	((struct record){                                                            \
		.pod = { .name = "", .namespace = "", .uid = "" },                   \
		.steer = STEER_UNSET,                                                \
		.decision = { .state = PASSED, .policy = POLICY_UNSET, .from = -1 }, \
	})
void record_done(struct record *record);
#define auto_record __attribute__((cleanup(record_done))) struct record

/* Whether `dns` is filled: the pod is COMPUTED or KEPT. */
bool record_has_dns(const struct record *record);

/* The target of that kind that was written; NULL: none was. */
const struct record_target *record_taken(const struct record *record, enum target_kind kind);

/* Whether the pod was to be steered by rules; `record` may be NULL. */
bool record_has_steering(const struct record *record);

/*
 * Whether the attachment wrote `text` into the runtime's file, or may have: while it writes there
 * are several. Newlines at the end do not count.
 */
bool record_wrote(const struct record *record, const char *text);

void record_add_warnings(struct record *record, const struct warnings *w);

/*** its format ***/

/* Takes `document` over. False: ERR_CONFIG names the key, and the document stays the caller's. */
bool record_parse(struct record *record, json_t *document, struct err *e);

/* The inverse; the caller's. NULL: out of memory, or a string is not UTF-8. */
json_t *record_render(const struct record *record);

/*** its file ***/

enum record_found {
	RECORD_NONE,
	RECORD_KNOWN,
	RECORD_OTHER_VERSION, /* of another version: only its name means anything */
	RECORD_DAMAGED,	      /* has no valid version: only its file name can be used */
	RECORD_UNREADABLE,    /* it is there, and reading it failed */
};

/* *out is filled for RECORD_KNOWN, else RECORD_BLANK. */
enum record_found record_read(struct record *out, const struct rundir *r, const char *id);

/* Makes the network's folder too. Equal content is not written. */
bool record_write(const struct rundir_lock *held, const char *id, const struct record *record,
		  struct err *e);

/* Removes the network's folder too, if it is empty then. True also if the record did not exist. */
bool record_remove(const struct rundir_lock *held, const char *id, struct err *e);

/* The paths of the records of one network, or of all (NULL), sorted. False: a folder cannot be read
 * whole. */
bool record_list(struct rundir_list *out, const struct rundir *r, const char *network,
		 struct arena *a);

#endif
