/* hook.c: `pod-dns hook`, an OCI createRuntime hook. */
#include "pod-dns/hook.h"
#include "state/claim.h"
#include "cni/cni.h"
#include "targets/hostfile.h"
#include "targets/inplace.h"
#include "pod-dns/oci.h"
#include "targets/sandbox.h"
#include "attachment/pending.h"
#include "attachment/compute_for.h"

#include <string.h>
#include <sys/stat.h>
#include <time.h>

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
 * Whether the source of the container's mount is the pod's file: the one that the record names, one
 * under a known root, or what CRI-O says of a root that ADD could not find. Any other source is the
 * pod's own choice.
 */
static bool is_pods_file(const struct oci_container *c, const char *named)
{
	char known[PATH_MAX];

	if (!is_plain(c->resolv_conf))
		return false;
	return (named && same_file(c->resolv_conf, named)) ||
	       (sandbox_find_known(known, c->sandbox_id, true) &&
		same_file(c->resolv_conf, known)) ||
	       (c->told && sandbox_is_storage_of(c->told, c->sandbox_id) &&
		same_file(c->resolv_conf, c->told));
}

/* The host's own file is no target, whoever says so. */
static bool is_hosts(const char *path, const char *node, struct warnings *w)
{
	struct stat st;

	if (lstat(path, &st) < 0 || !hostfile_is(file_id(&st), node))
		return false;
	warn(w, "target", "%s: is the host's own resolver file: left", path);
	return true;
}

/* Not for long: a container that keeps the file open would keep the others of its pod waiting. */
static enum pending_result pending_soon(struct rundir *r, const char *record, const char *file,
					struct warnings *w, struct err *e)
{
	enum { TRIES = 50, PAUSE = 20000000 }; /* ns: a second in all */
	enum pending_result pending_result = pending_complete(r, record, file, BY_HOOK, w, e);

	for (int i = 0; i < TRIES && pending_result == PENDING_LATER; i++) {
		(void)nanosleep(&(struct timespec){ .tv_nsec = PAUSE }, NULL);
		pending_result = pending_complete(r, record, file, BY_HOOK, w, e);
	}
	return pending_result;
}

static bool pending_file(struct rundir *r, const char *record, const char *file, struct warnings *w,
			 struct err *e)
{
	switch (pending_soon(r, record, file, w, e)) {
	case PENDING_LATER:
		warn(w, "late-missed", "%s: somebody has it open for writing: left", file);
		break;
	case PENDING_FAILED:
		return false;
	case PENDING_LEFT: /* by a container of this pod: its own business */
		warn(w, "late-missed", "%s: %s", file, e->text);
		err_clear(e);
		break;
	case PENDING_DONE:
		break;
	}
	return true;
}

static bool pending_pod(const struct oci_container *c, struct rundir *r, const char *record,
			struct warnings *w, struct err *e)
{
	const char *named, *source = c->resolv_conf;
	auto_record content = RECORD_BLANK;

	if (record_read(&content, r, record) != RECORD_KNOWN || !source ||
	    content.late == RECORD_NOT_LATE)
		return true;
	named = content.file;
	if (named && strcmp(source, named) == 0 && content.late == RECORD_PENDING &&
	    access(named, F_OK) < 0)
		return err_errno(e, ERR_TARGET, "%s", named);
	if (!is_pods_file(c, named) || is_hosts(source, NULL, w))
		return true;
	return pending_file(r, record, source, w, e);
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
	if (run.fd < 0 || claim_owner(record, &run, folder) != CLAIM_OWNED)
		return true;
	return oci_read_bundle(&c, e) && pending_pod(&c, &run, record, w, e);
}

/*** without CNI ***/

/* Nothing is steered here: with autopath by the cache it is ClusterFirst. */
static bool write_computed(const struct oci_container *c, const struct computed *computed,
			   struct warnings *w, struct err *e)
{
	const char *text = computed->serves ? computed_pick(computed, false, w)->text : NULL;
	const char *node_file = computed->input->network->conf.resolv_conf;
	struct inplace f = INPLACE_NONE;
	auto_fd found = -1;
	bool done;

	if (!text || is_hosts(c->resolv_conf, node_file, w))
		return true;
	found = inplace_find(c->resolv_conf, node_file, e);
	if (found < 0 || !inplace_open(&f, found, c->resolv_conf, e))
		return false;
	done = inplace_write(&f, text, true, e) || err_in(e, "%s: ", c->resolv_conf);
	inplace_close(&f);
	return done;
}

bool hook_run_with_config(int fd, const char *path, struct warnings *w, struct err *e)
{
	struct compute_sources sources;
	struct computed computed;
	auto_oci c = { 0 };
	bool done;

	if (*path != '/') { /* from where, only the OCI runtime knows */
		warn(w, "config-file", "--config %s: not an absolute path: the container is left",
		     path);
		return true;
	}
	if (!oci_read_state(&c, fd, e))
		return false;
	if (c.sandbox_id || !cni_is_id(c.id)) /* a CRI container: CNI has been called for its pod */
		return true;
	if (!oci_read_bundle(&c, e))
		return false;
	if (!c.own_network || !c.resolv_conf || !sandbox_is_storage_of(c.resolv_conf, c.id) ||
	    !is_plain(c.resolv_conf))
		return true;
	done = compute_for_container(&computed, &sources, path, c.annotations, w, e) &&
	       write_computed(&c, &computed, w, e);
	compute_sources_done(&sources);
	return done;
}
