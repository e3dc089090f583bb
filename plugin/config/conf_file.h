/* SPDX-License-Identifier: Apache-2.0 */
/* conf_file.h: reads the network's configuration, from the conflist and its configFile. */
#ifndef POD_DNS_CONF_FILE_H
#define POD_DNS_CONF_FILE_H

#include "domain.h"
#include "err.h"
#include "warn.h"

struct network_conf {
	struct conf conf;
	json_t *file;  /* the configFile, owned; NULL: there is none */
	bool unusable; /* the configuration is faulty: pods are left as they are */
	json_t *own;   /* conf_own_keys() of both, owned */
};

/*
 * Decodes and checks the plugin's object of a conflist, and the file that its configFile names. A
 * fault in the conflist is an error. A fault in the file is a warning and sets `unusable`: a bad
 * edit of a file must not stop a node. The same holds for any fault in mode `observe` or `off`. The
 * caller calls conf_file_done() in any case.
 */
bool conf_file_read(struct network_conf *n, const json_t *network, struct warnings *w,
		    struct err *e);

void conf_file_done(struct network_conf *n);

#endif
