/* SPDX-License-Identifier: Apache-2.0 */
/* conf_file.c: reads the network's configuration, from the conflist and its configFile. */
#include "config/conf_file.h"
#include "config/conf.h"
#include "file.h"
#include "text.h"

#include <fcntl.h>

enum { CONF_FILE_MAX = 4 << 20 }; /* bytes */

static bool load_config_file(json_t **file, const char *path, struct err *e)
{
	auto_text text = TEXT_UP_TO(CONF_FILE_MAX);

	if (!file_read(&text, AT_FDCWD, path, true, e))
		return false;
	*file = json_read(text.at, text.len, false, e);
	return *file || err_in(e, "%s: ", path);
}

static bool decode_config_file(struct network_conf *n, const json_t *network, struct warnings *w,
			       struct err *e)
{
	const char *path = n->conf.config_file;

	if (!load_config_file(&n->file, path, e))
		return false;
	if (!json_is_object(n->file))
		return err_set(e, ERR_CONFIG, "%s: expected an object", path);
	return (conf_decode_file(&n->conf, network, n->file, e) && conf_check(&n->conf, w, e)) ||
	       err_in(e, "%s: ", path);
}

/* Checks the conflist without its file, to tell which of the two is wrong. */
static bool check_alone(const json_t *network, struct err *e)
{
	auto_arena arena = { 0 };
	struct warnings ignored = { .arena = &arena };
	struct conf c;
	bool done;

	conf_init(&c);
	c.partial = true;
	done = conf_decode(&c, network, e) && conf_check(&c, &ignored, e);
	conf_done(&c);
	return done;
}

/* The file is faulty: pods are left as they are. *n keeps what the conflist says. */
static void conf_file_give_up(struct network_conf *n, const json_t *network, struct warnings *w,
			      struct err *e)
{
	warn(w, "config-file", "configFile %s: pods are left as they are", e->text);
	n->unusable = true;
	err_clear(e);
	conf_done(&n->conf);
	conf_init(&n->conf);
	(void)conf_decode(&n->conf, network, e);
}

static bool decode_network(struct network_conf *n, const json_t *network, struct warnings *w,
			   struct err *e)
{
	if (!conf_decode(&n->conf, network, e))
		return false;
	if (!n->conf.config_file)
		return conf_check(&n->conf, w, e);
	if (!check_alone(network, e))
		return false;
	if (!decode_config_file(n, network, w, e))
		conf_file_give_up(n, network, w, e);
	return true;
}

/* The mode may stand in the conflist or in its file. */
static enum mode idle_mode_of(struct network_conf *n, const json_t *network)
{
	const char *path = json_string_value(json_object_get(network, "configFile"));
	enum mode mode = conf_idle_mode(network);

	if (mode != MODE_ENFORCE || !path || *path != '/')
		return mode;
	return n->file || load_config_file(&n->file, path, NULL) ? conf_idle_mode(n->file)
								 : MODE_ENFORCE;
}

/* In `observe` and `off` a fault of ours must not keep a pod from starting. */
static bool tolerate_fault(struct network_conf *n, const json_t *network, struct warnings *w,
			   struct err *e)
{
	enum mode mode = idle_mode_of(n, network);

	if (mode == MODE_ENFORCE)
		return false;
	warn(w, "config", "%s: the result passes through", e->text);
	err_clear(e);
	conf_done(&n->conf);
	conf_init(&n->conf);
	n->conf.mode = (int)mode;
	n->unusable = true;
	return true;
}

bool conf_file_read(struct network_conf *n, const json_t *network, struct warnings *w,
		    struct err *e)
{
	n->file = n->own = NULL;
	n->unusable = false;
	conf_init(&n->conf);
	conf_warn_misspelt(network, w);
	if (!decode_network(n, network, w, e) && !tolerate_fault(n, network, w, e))
		return false;
	n->own = conf_own_keys(network, n->file);
	return true;
}

void conf_file_done(struct network_conf *n)
{
	conf_done(&n->conf);
	json_decref(n->file);
	json_decref(n->own);
	n->file = n->own = NULL;
}
