/* SPDX-License-Identifier: Apache-2.0 */
/* oci.c: reads what an OCI runtime tells a hook. */
#include "pod-dns/oci.h"
#include "file.h"
#include "json.h"
#include "text.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

enum { DOCUMENT_MAX = 16 << 20 }; /* bytes of a state or a config.json */

static const char *string(const json_t *object, const char *key)
{
	json_t *value = json_object_get(object, key);

	return json_is_plain_string(value) ? json_string_value(value) : NULL;
}

/* Whether the bundle is …-containers/ID/userdata, as CRI-O and podman have it. */
static bool is_storage_bundle(const struct oci_container *c)
{
	char end[PATH_MAX];

	(void)snprintf(end, sizeof(end), "-containers/%s/userdata", c->id);
	return text_ends_with(c->bundle, end);
}

/*
 * Whether containerd made the container; else CRI-O or podman did. That decides which annotations
 * count: a pod's author can write annotations too, but each runtime overwrites its own keys. The
 * author cannot choose where the bundle lies.
 */
static bool is_containerds(const struct oci_container *c)
{
	return !is_storage_bundle(c) && string(c->annotations, "io.kubernetes.cri.sandbox-id");
}

static void read_annotations(struct oci_container *c)
{
	const char *manager = string(c->annotations, "io.container.manager");

	if (is_containerds(c)) {
		c->sandbox_id = string(c->annotations, "io.kubernetes.cri.sandbox-id");
		return;
	}
	if (manager &&
	    strcmp(manager, "libpod") == 0) /* podman uses CRI-O's annotation for its own pods */
		return;
	c->sandbox_id = string(c->annotations, "io.kubernetes.cri-o.SandboxID");
	if (manager && strcmp(manager, "cri-o") == 0)
		c->named_file = string(c->annotations, "io.kubernetes.cri-o.ResolvPath");
}

bool oci_read_state(struct oci_container *c, int fd, struct err *e)
{
	auto_text text = TEXT_UP_TO(DOCUMENT_MAX);

	*c = (struct oci_container){ 0 };
	if (!file_read_fd(&text, fd, "stdin", e))
		return false;
	c->state = json_read(text.at, text.len, false, e);
	if (!c->state)
		return err_in(e, "the container's state: ");
	c->id = string(c->state, "id");
	c->bundle = string(c->state, "bundle");
	c->annotations = json_object_get(c->state, "annotations");
	if (!c->id || !c->bundle || *c->bundle != '/')
		return err_set(e, ERR_DECODE, "the container's state: id and bundle are missing");
	read_annotations(c);
	return true;
}

/* If several mounts are on the path, the last one is visible. */
static const char *resolv_conf(const json_t *config)
{
	const char *source = NULL;
	json_t *mount;
	size_t i;

	json_array_foreach (json_object_get(config, "mounts"), i, mount) {
		const char *destination = string(mount, "destination");

		if (destination && strcmp(destination, "/etc/resolv.conf") == 0)
			source = string(mount, "source");
	}
	return source;
}

static bool has_network(const json_t *config)
{
	const json_t *part = json_object_get(config, "linux");
	json_t *namespace;
	size_t i;

	json_array_foreach (json_object_get(part, "namespaces"), i, namespace) {
		const char *type = string(namespace, "type");

		if (type && strcmp(type, "network") == 0)
			return true;
	}
	return false;
}

bool oci_read_bundle(struct oci_container *c, struct err *e)
{
	auto_text text = TEXT_UP_TO(DOCUMENT_MAX);
	char path[PATH_MAX];

	if ((size_t)snprintf(path, sizeof(path), "%s/config.json", c->bundle) >= sizeof(path))
		return err_set(e, ERR_IO, "%s: too long a path", c->bundle);
	if (!file_read(&text, AT_FDCWD, path, true, e))
		return false;
	c->config = json_read(text.at, text.len, false, e);
	if (!c->config)
		return err_in(e, "%s: ", path);
	c->resolv_conf = resolv_conf(c->config);
	c->own_network = has_network(c->config);
	return true;
}

void oci_done(struct oci_container *c)
{
	json_decref(c->state);
	json_decref(c->config);
	*c = (struct oci_container){ 0 };
}
