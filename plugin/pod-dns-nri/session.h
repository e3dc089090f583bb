/* SPDX-License-Identifier: Apache-2.0 */
/* session.h: one connection to the runtime: registers, and answers the runtime's calls. */
#ifndef POD_DNS_NRI_SESSION_H
#define POD_DNS_NRI_SESSION_H

#include "pod-dns-nri/wire/mux.h"
#include "pod-dns-nri/wire/nri.h"
#include "state/nri_lock.h"

/* The default of containerd and CRI-O. */
#define SESSION_SOCKET "/var/run/nri/nri.sock"

struct session {
	int fd;
	struct nri_lock *lock;
	const char *conf_dir;	   /* the runtime's folder of networks */
	struct nri_report *report; /* outlives the session */
	struct mux mux;
	struct ttrpc plugin, runtime; /* the streams of the two connections */
	char peer[132];		      /* the runtime's name and version; "": not told yet */
	bool serves;		      /* registered and synchronized: pods are told of */
	bool behind;		      /* some record is left for later */
};

#define SESSION_NONE ((struct session){ .fd = -1 })

/* Connects and asks to be registered. *s is SESSION_NONE, with lock and report. ERR_AGAIN. */
bool session_open(struct session *s, const char *path, struct err *e);

/* Reads what has come and answers it. False: the connection is over, and *e says why. */
bool session_serve(struct session *s, struct err *e);

void session_close(struct session *s);

/* Completes what was left for later. */
void session_catch_up(struct session *s);

#endif
