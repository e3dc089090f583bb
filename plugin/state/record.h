/*
 * record.h: the record of an attachment: what ADD read, decided and did.
 *
 * DEL, CHECK, GC, the sweep and pod-dnsctl work from it. It is a JSON object (pod-dns(8), FILES)
 * that is written before the first target and removed after the last, so that whatever is left of a
 * killed process can be found.
 */
#ifndef POD_DNS_RECORD_H
#define POD_DNS_RECORD_H

#include "file.h"
#include "state/rundir.h"

#include <jansson.h>

enum {
	RECORD_VERSION = 1,
	RECORD_NAME = 255, /* NAME_MAX */
	RECORD_PATH = 2 * RECORD_NAME + 2,
};

/* An attachment: CNI's (network name, container, interface). */
struct attachment {
	const char *network, *container_id, *ifname;
};

/* Its record's path below the run folder. ERR_ENV where a name would be over 255 bytes. */
bool record_path(char out[static RECORD_PATH], const struct attachment *at, struct err *e);

enum record {
	RECORD_NONE, /* or none that can be read */
	RECORD_KNOWN,
	RECORD_ALIEN,	   /* of another version: only its name is to be trusted */
	RECORD_UNREADABLE, /* the kernel does not give it out just now */
};

/* The container's ID in the path of a record. */
void record_container(char out[static RECORD_NAME + 1], const char *record);

/* With RECORD_KNOWN, *out is the caller's. */
enum record record_read(json_t **out, const struct rundir *r, const char *path);

/* Makes the network's folder too. The lock is held. Equal content is not written. */
bool record_write(const struct rundir *r, const char *path, const json_t *record, struct err *e);

/* Also the network's folder, if it is empty then. The lock is held. True: there is none now. */
bool record_remove(const struct rundir *r, const char *path, struct err *e);

/* A string at the top of a record; NULL where there is none. */
const char *record_string(const json_t *record, const char *key);

/* The namespace of the record's ADD: its path, good as long as the record is; NULL: none. */
const char *record_netns(const json_t *record, struct file_id *id);

/*
 * Whether `text` is one that the runtime's file may hold by this attachment's hand ("written": more
 * than one while it is being written), but for newlines at its end.
 */
bool record_wrote(const json_t *record, const char *text);

/* The names in a folder of the run folder: each is given to `visit`. A folder that does not exist
 * is empty; false: one that does cannot be read. */
typedef void record_visitor(const char *name, void *context);
bool record_each(const struct rundir *r, const char *folder, record_visitor *visit, void *context);

/* Calls `visit` with the path of every record of one network, or of all (NULL). */
void record_each_path(const struct rundir *r, const char *network, record_visitor *visit,
		      void *context);

#endif
