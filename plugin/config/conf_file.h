/* SPDX-License-Identifier: Apache-2.0 */
/* conf_file.h: the network's configuration with its configFile, read. */
#ifndef POD_DNS_CONF_FILE_H
#define POD_DNS_CONF_FILE_H

#include "domain.h"
#include "err.h"
#include "warn.h"

struct network_conf {
	struct conf conf;
	json_t *file;  /* the configFile, owned; NULL: there is none */
	bool unusable; /* something is wrong in it: pods stay as they are */
	json_t *own;   /* conf_own_keys() of both, owned */
};

/*
 * Decodes and checks the plugin's object of a conflist, and the file that its configFile names.
 * False for what is wrong in the conflist; what is wrong with the file is a warning and `unusable`:
 * a bad edit of a file must not stop a node. So is what is wrong anywhere where the modes say that
 * no pod is served. The caller calls conf_file_done() in either case.
 */
bool conf_file_read(struct network_conf *n, const json_t *network, struct warnings *w,
		    struct err *e);

void conf_file_done(struct network_conf *n);

#endif
