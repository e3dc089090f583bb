/* SPDX-License-Identifier: Apache-2.0 */
/* steer_node_private.h: what the steer_node_*.c files share. */
#ifndef POD_DNS_STEER_NODE_PRIVATE_H
#define POD_DNS_STEER_NODE_PRIVATE_H

#include "state/claim.h"
#include "steer/rules/steering.h"
#include "steer/rules/table.h"

/* The claims of the attachments that the table steers. The folder exists as long as the table does.
 */
#define STEER_NODE_CLAIMS ".node"

/* In a name a hash follows this mark: a record's path may be too long for a comment. */
enum { STEER_NODE_HASH_MARK = '#' };

/*** steer_node_pods.c: the pods of the records ***/

/* The comment of an attachment's elements: NETWORK/CONTAINERID@IFNAME. */
void steer_node_name(char out[static NFT_COMMENT], const char *id);

/* A record's steering by the node's table; false: it is not steered so, or its pod is gone. */
bool steer_node_steering(struct steering *s, struct pod_addrs *list, const struct rundir *r,
			 const char *id);

struct steer_node_pod {
	struct addr address;
	size_t age; /* 0: the newest claim */
	char name[NFT_COMMENT];
};

/* The addresses of one family, without duplicates: the newest claim has an address. */
struct steer_node_pods {
	const struct rundir *r;
	bool v6;
	struct steer_node_pod *at;
	size_t n, room;
};

void steer_node_pods_gather(struct steer_node_pods *pods);
void steer_node_pods_free(struct steer_node_pods *pods);
#define auto_steer_node_pods __attribute__((cleanup(steer_node_pods_free))) struct steer_node_pods

/* For table_install(): their elements. They are gathered when the transaction is made. */
struct table_more steer_node_pods_more(struct steer_node_pods *pods);

/*** steer_node_socket.c ***/

/*
 * The socket for the node's namespace. It stays open until steer_end(), so that it is not closed
 * while the lock is held. NULL: ERR_STEER, ERR_NETNS.
 */
const struct nl *steer_node_nl(struct err *e);

/*** steer_node_elements.c: an attachment's elements ***/

struct steer_node_elements {
	const struct nl *nl;
	const struct rundir_lock *held;
	char name[NFT_COMMENT];
	struct warnings *check; /* for CHECK; NULL: an ADD, which replaces others' elements */
	bool is_new;		/* most likely none of them is there */
};

struct steer_node_elements steer_node_elements(const struct nl *nl, const struct rundir_lock *held,
					       const char *id, struct warnings *check);

/* The element of an address, if it is there. */
struct steer_node_element {
	bool there;
	char name[NFT_COMMENT];
};
bool steer_node_element_find(const struct nl *nl, const struct addr *a,
			     struct steer_node_element *out, struct err *e);

/*
 * Deletes the addresses from `pods` and from all sets that know something of a pod: the state of
 * an address ends with its element. So many at a time, in one transaction.
 */
enum { STEER_NODE_FORGET = 32 };
bool steer_node_forget(const struct nl *nl, const struct addr *list, size_t n, struct err *e);

/* Whether it has deleted something. */
bool steer_node_has_deleted(void);

/* Makes an element for each address of a steered family, and deletes those of other families. */
bool steer_node_elements_put(const struct steer_node_elements *x, const struct steering *s,
			     const struct pod_addrs *list, struct err *e);

/* Deletes its own elements: of the list, or (NULL) all that have its name. */
bool steer_node_elements_drop(const struct steer_node_elements *x, const struct pod_addrs *list,
			      struct err *e);

#endif
