/* steer_node_private.h: what the parts of steer_node.c share. */
#ifndef POD_DNS_STEER_NODE_PRIVATE_H
#define POD_DNS_STEER_NODE_PRIVATE_H

#include "claim.h"
#include "steering.h"
#include "table.h"

/* Whose pods the table steers. Where the folder is not, nobody need ask the kernel. */
#define NODE_CLAIMS ".node"

/* In a name: what follows is a hash. A record's path may be longer than a comment. */
enum { NODE_HASH_MARK = '#' };

/* What an attachment's element says: NETWORK/CONTAINERID@IFNAME. */
void node_name(char out[static NFT_COMMENT], const char *record);

/*** steer_node_pods.c: the pods that the records know ***/

/* What a record says of steering by the node's table; false: not by it, or the pod is gone. */
bool node_steering(struct steering *s, struct addresses *list, const struct rundir *r,
		   const char *record);

struct node_pod {
	struct addr address;
	struct timespec since; /* its ADD */
	char name[NFT_COMMENT];
};

/* Those of one family, an address once: of those that claim it the newest has it. */
struct node_pods {
	const struct rundir *r;
	bool v6;
	struct node_pod *at;
	size_t n, room;
};

void node_pods_gather(struct node_pods *pods);
void node_pods_free(struct node_pods *pods);
#define auto_node_pods __attribute__((cleanup(node_pods_free))) struct node_pods

/* As what a transaction holds beyond the table: gathered when that is made. */
struct table_more node_pods_more(struct node_pods *pods);

/*** steer_node_elements.c: an attachment at work on its own elements ***/

struct node_elements {
	const struct nl *nl;
	const struct rundir *r;
	char name[NFT_COMMENT];
	struct warnings *check; /* NULL: it is an ADD, and takes what others have */
};

struct node_elements node_elements(const struct nl *nl, const struct rundir *r, const char *record,
				   struct warnings *check);

/* An address's element; that there is none is no failure. */
struct node_element {
	bool there;
	char name[NFT_COMMENT];
};
bool node_element_find(const struct nl *nl, const struct addr *a, struct node_element *out,
		       struct err *e);
bool node_element_delete(const struct nl *nl, const struct addr *a, struct err *e);

/* An element for each address of a family that is steered, and none for another (any more). */
bool node_elements_put(const struct node_elements *x, const struct steering *s,
		       const struct addresses *list, struct err *e);

/* Its own alone. Without a list every element is asked for its name. */
bool node_elements_drop(const struct node_elements *x, const struct addresses *list, struct err *e);

/*** steer_node.c ***/

/* What somebody flushed comes back, with all pods. */
void node_restore(const struct nl *nl, const struct rundir *r, struct warnings *w);

#endif
