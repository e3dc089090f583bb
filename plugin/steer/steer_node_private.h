/* SPDX-License-Identifier: Apache-2.0 */
/* steer_node_private.h: what the parts of steer_node.c share. */
#ifndef POD_DNS_STEER_NODE_PRIVATE_H
#define POD_DNS_STEER_NODE_PRIVATE_H

#include "state/claim.h"
#include "steer/steering.h"
#include "steer/table.h"

/* Whose pods the table steers. Where the folder is not, nobody need ask the kernel. */
#define STEER_NODE_CLAIMS ".node"

/* In a name: what follows is a hash. A record's path may be longer than a comment. */
enum { STEER_NODE_HASH_MARK = '#' };

/* What an attachment's element says: NETWORK/CONTAINERID@IFNAME. */
void steer_node_name(char out[static NFT_COMMENT], const char *record);

/*** steer_node_pods.c: the pods that the records know ***/

/* What a record says of steering by the node's table; false: not by it, or the pod is gone. */
bool steer_node_steering(struct steering *s, struct addresses *list, const struct rundir *r,
			 const char *record);

struct steer_node_pod {
	struct addr address;
	size_t age; /* 0: the newest claim */
	char name[NFT_COMMENT];
};

/* Those of one family, an address once: of those that claim it the newest has it. */
struct steer_node_pods {
	const struct rundir *r;
	bool v6;
	struct steer_node_pod *at;
	size_t n, room;
};

void steer_node_pods_gather(struct steer_node_pods *pods);
void steer_node_pods_free(struct steer_node_pods *pods);
#define auto_steer_node_pods __attribute__((cleanup(steer_node_pods_free))) struct steer_node_pods

/* As what a transaction holds beyond the table: gathered when that is made. */
struct table_more steer_node_pods_more(struct steer_node_pods *pods);

/*** steer_node_elements.c: an attachment at work on its own elements ***/

struct steer_node_elements {
	const struct nl *nl;
	const struct rundir_lock *held;
	char name[NFT_COMMENT];
	struct warnings *check; /* NULL: it is an ADD, and takes what others have */
};

struct steer_node_elements steer_node_elements(const struct nl *nl, const struct rundir_lock *held,
					       const char *record, struct warnings *check);

/* An address's element; that there is none is no failure. */
struct steer_node_element {
	bool there;
	char name[NFT_COMMENT];
};
bool steer_node_element_find(const struct nl *nl, const struct addr *a,
			     struct steer_node_element *out, struct err *e);
bool steer_node_element_delete(const struct nl *nl, const struct addr *a, struct err *e);

/* An element for each address of a family that is steered, and none for another (any more). */
bool steer_node_elements_put(const struct steer_node_elements *x, const struct steering *s,
			     const struct addresses *list, struct err *e);

/* Its own alone. Without a list every element is asked for its name. */
bool steer_node_elements_drop(const struct steer_node_elements *x, const struct addresses *list,
			      struct err *e);

/*** steer_node.c ***/

/* What somebody flushed comes back, with all pods. */
void steer_node_restore(const struct nl *nl, const struct rundir_lock *held, struct warnings *w);

#endif
