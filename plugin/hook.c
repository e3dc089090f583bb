/* hook.c: `pod-dns hook`, an OCI createRuntime hook. */
#include "hook.h"
#include "claim.h"
#include "inplace.h"
#include "oci.h"
#include "sandbox.h"
#include "settle.h"
#include "verdict.h"

#include <string.h>
#include <sys/stat.h>

static bool same_file(const char *a, const char *b)
{
	struct stat x, y;

	return lstat(a, &x) == 0 && lstat(b, &y) == 0 && file_same(file_id(&x), file_id(&y));
}

/* A file of one name, no link: what a runtime makes. */
static bool is_plain(const char *path)
{
	struct stat st;

	return lstat(path, &st) == 0 && S_ISREG(st.st_mode) && st.st_nlink == 1;
}

/*
 * The file that may be written for the pod: the source of the container's own mount, and only where
 * it is the one that the record names or, where it names none, has the form of a runtime's file of
 * this very sandbox. Any other source is the pod's own choice.
 */
static const char *file_of(const struct oci_container *c, const json_t *record)
{
	const char *named = record_string(record, "file");

	if (!c->resolv_conf || !is_plain(c->resolv_conf))
		return NULL;
	if (named)
		return same_file(c->resolv_conf, named) ? named : NULL;
	return sandbox_is_path_of(c->resolv_conf, c->sandbox_id) ? c->resolv_conf : NULL;
}

static bool settle_pod(const struct oci_container *c, struct rundir *r, const char *record,
		       struct warnings *w, struct err *e)
{
	json_auto_t *content = NULL;
	const char *file;

	if (record_read(&content, r, record) != RECORD_KNOWN)
		return true;
	file = file_of(c, content);
	if (!file)
		return true;
	switch (settle(r, record, file, BY_HOOK, w, e)) {
	case SETTLE_LATER:
		return err_set(e, ERR_TARGET, "%s: not written by the runtime yet", file);
	case SETTLE_FAILED:
		return false;
	case SETTLE_LEFT: /* by a container of this pod: its own business */
		warn(w, "late-missed", "%s: %s", file, e->text);
		err_clear(e);
		break;
	case SETTLED:
		break;
	}
	return true;
}

bool hook_run(int fd, struct warnings *w, struct err *e)
{
	char folder[CLAIM_FOLDER], record[RECORD_PATH];
	auto_rundir run = RUNDIR_NONE;
	auto_oci c = { 0 };

	if (!oci_read_state(&c, fd, e))
		return false;
	if (!c.sandbox_id || !cni_is_id(c.sandbox_id) || strlen(c.sandbox_id) > RECORD_NAME)
		return true;
	if (!rundir_open(&run, false, e))
		return false;
	claim_sandbox(folder, c.sandbox_id);
	if (run.fd < 0 || !claim_owner(record, &run, folder))
		return true;
	return oci_read_bundle(&c, e) && settle_pod(&c, &run, record, w, e);
}

/*** without CNI ***/

static bool write_file(const struct oci_container *c, const struct verdict *v, struct err *e)
{
	struct inplace f = INPLACE_NONE;
	bool done;

	if (!inplace_open(&f, c->resolv_conf, v->network.conf.resolv_conf, e))
		return false;
	done = inplace_write(&f, v->text, false, e) || err_in(e, "%s: ", c->resolv_conf);
	inplace_close(&f);
	return done;
}

bool hook_run_with_config(int fd, const char *path, struct warnings *w, struct err *e)
{
	static struct verdict verdict; /* large, and main calls once */
	auto_oci c = { 0 };
	bool done;

	if (!oci_read_state(&c, fd, e))
		return false;
	if (c.sandbox_id || !cni_is_id(c.id)) /* a CRI container: CNI has been called for its pod */
		return true;
	if (!oci_read_bundle(&c, e))
		return false;
	if (!c.own_network || !c.resolv_conf || !sandbox_is_path_of(c.resolv_conf, c.id) ||
	    !is_plain(c.resolv_conf))
		return true;
	done = verdict_without_cni(&verdict, path, c.annotations, w, e) &&
	       (verdict.mode != MODE_ENFORCE || !verdict.text || write_file(&c, &verdict, e));
	verdict_done(&verdict);
	return done;
}
