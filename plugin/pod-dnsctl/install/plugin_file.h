/* SPDX-License-Identifier: Apache-2.0 */
/* plugin_file.h: the program of the plugin, and its copy in the runtime's folder of plugins. */
#ifndef POD_DNSCTL_PLUGIN_FILE_H
#define POD_DNSCTL_PLUGIN_FILE_H

#include "config/netdir.h"

struct out;

struct plugin_file {
	char from[PATH_MAX]; /* the program */
	char to[PATH_MAX];   /* where the runtime looks for it */
};

/*
 * Finds the program for `folder`: beside this one, in the folder that make install has filled
 * (CNI_BIN_DIR), in `folder` itself, in /opt/cni/bin, in /usr/lib/cni. ERR_IO: it is in none of
 * them.
 */
bool plugin_file_find(struct plugin_file *p, const char *folder, struct err *e);

/* Whether the runtime has it already. */
bool plugin_file_is_there(const struct plugin_file *p);

/* Copies it where it is not there, and says so. From a bundle: all of the bundle, and what a killed
 * run has left of it is removed. ERR_IO. */
bool plugin_file_copy(const struct plugin_file *p, struct out *out, struct err *e);

/* Removes the copies in the runtime's folders, and says so. A program that a package or make
 * install has put there stays. ERR_IO. */
bool plugin_file_remove(const struct netdir *dirs, struct out *out, struct err *e);

#endif
