/* SPDX-License-Identifier: Apache-2.0 */
/* hook.c: `pod-dns hook`, an OCI createRuntime hook. */
#include "pod-dns/hook.h"
#include "state/claim.h"
#include "cni/cni.h"
#include "config/request.h"
#include "targets/helper.h"
#include "targets/inplace.h"
#include "pod-dns/oci.h"
#include "targets/sandbox.h"
#include "attachment/pending.h"
#include "attachment/compute_for.h"

#include <string.h>
#include <sys/stat.h>
#include <time.h>

/*** the pod's file ***/

enum { CANDIDATES = 3 };

/* Files that may be the pod's, and the source of the container's mount on /etc/resolv.conf. */
struct candidates {
	const char *source;
	struct sandbox_file at[CANDIDATES];
	struct file_id id[CANDIDATES];
	size_t n;
};

static void add_candidate(struct candidates *c, const char *path, struct arena *a)
{
	struct sandbox_file file;
	struct stat st;

	for (size_t i = 0; i < c->n; i++)
		if (path && strcmp(c->at[i].path, path) == 0)
			return;
	file = sandbox_open_timeout(path, NULL, NULL, a);
	if (!file.path)
		return;
	c->id[c->n] = (struct file_id){ 0 };
	if (file.fd >= 0 && fstat(file.fd, &st) == 0)
		c->id[c->n] = file_id(&st);
	c->at[c->n++] = file;
}

/* The file that the record names, those under the usual roots, and the one that CRI-O names. */
static void find_candidates(struct candidates *c, const struct oci_container *container,
			    const char *named, struct arena *a)
{
	char known[PATH_MAX];

	*c = (struct candidates){ .source = container->resolv_conf };
	add_candidate(c, named, a);
	if (sandbox_find_known(known, container->sandbox_id, true))
		add_candidate(c, arena_print(a, "%s", known), a);
	if (container->named_file &&
	    sandbox_is_storage_of(container->named_file, container->sandbox_id))
		add_candidate(c, container->named_file, a);
}

static void done_candidates(struct candidates *c)
{
	for (size_t i = 0; i < c->n; i++)
		sandbox_file_done(&c->at[i]);
}

/* Runs in a helper: whether the source is the candidate of that number. */
static bool compare_source(void *context, char number, struct err *e)
{
	const struct candidates *c = context;
	struct stat st;

	helper_queue(c->source);
	return (lstat(c->source, &st) == 0 && file_same(file_id(&st), c->id[(size_t)number])) ||
	       err_set(e, ERR_TARGET, "another file");
}

/* In a helper, since the pod's author chose the path, and looking at it may hang. */
static const struct sandbox_file *compare_all(struct candidates *c, struct warnings *w)
{
	const struct sandbox_file *found = NULL;
	struct helper helper = HELPER_NONE;
	struct err e = { 0 };
	bool asks = c->n && helper_start(&helper, c->source, compare_source, c, &e);

	for (size_t i = 0; asks && i < c->n && !found; i++) {
		err_clear(&e);
		if (c->at[i].fd >= 0 && helper_ask(&helper, (char)i, &e))
			found = &c->at[i];
		asks = helper_is_there(&helper);
	}
	if (c->n && !asks)
		warn(w, "late-missed", "%s: the container is left", e.text);
	helper_end(&helper);
	return found;
}

/*
 * The pod's file, if the container's mount has it as its source; NULL: the pod mounts another file.
 * Nothing is written by the source's path: what it names may change.
 */
static const struct sandbox_file *choose_file(struct candidates *c, struct warnings *w)
{
	for (size_t i = 0; i < c->n; i++)
		if (strcmp(c->at[i].path, c->source) == 0) {
			if (c->at[i].fd >= 0)
				return &c->at[i];
			warn(w, "target", "%s: left", c->at[i].why);
			return NULL;
		}
	return compare_all(c, w);
}

/*** a pod with a DEFERRED record ***/

/* Retries for a second at most, in case another container of the pod has the file open. */
static enum pending_result pending_retry(struct rundir *r, const char *id,
					 const struct sandbox_file *file, struct warnings *w,
					 struct err *e)
{
	enum { TRIES = 50, PAUSE = 20000000 }; /* ns: a second in all */
	enum pending_result pending_result = pending_complete(r, id, file, BY_HOOK, w, e);

	for (int i = 0; i < TRIES && pending_result == PENDING_LATER; i++) {
		(void)nanosleep(&(struct timespec){ .tv_nsec = PAUSE }, NULL);
		pending_result = pending_complete(r, id, file, BY_HOOK, w, e);
	}
	return pending_result;
}

static bool pending_file(struct rundir *r, const char *id, const struct sandbox_file *file,
			 struct warnings *w, struct err *e)
{
	switch (pending_retry(r, id, file, w, e)) {
	case PENDING_LATER:
		warn(w, "late-missed", "%s: somebody has it open for writing: left", file->path);
		break;
	case PENDING_FAILED:
		return false;
	case PENDING_SKIPPED: /* a container of this pod changed it */
		warn(w, "late-missed", "%s: %s", file->path, e->text);
		err_clear(e);
		break;
	case PENDING_DONE:
		break;
	}
	return true;
}

static bool pending_pod(const struct oci_container *c, struct rundir *r, const char *id,
			struct warnings *w, struct err *e)
{
	auto_record record = RECORD_BLANK;
	enum record_found found = record_read(&record, r, id);
	const struct sandbox_file *file;
	struct candidates candidates;
	bool done;

	if (found == RECORD_UNREADABLE)
		return err_set(e, ERR_IO, RUNDIR "/%s: cannot be read", id);
	if (found != RECORD_KNOWN || !c->resolv_conf ||
	    (record.late != RECORD_AWAITED && record.late != RECORD_MISSED))
		return true;
	w->pod = request_pod_shown(&record.pod, w->arena);
	if (record.file && strcmp(c->resolv_conf, record.file) == 0 &&
	    record.late == RECORD_AWAITED && access(record.file, F_OK) < 0)
		return err_errno(e, ERR_TARGET, "%s", record.file);
	find_candidates(&candidates, c, record.file, w->arena);
	file = choose_file(&candidates, w);
	done = !file || pending_file(r, id, file, w, e);
	done_candidates(&candidates);
	return done;
}

bool hook_run(int fd, struct warnings *w, struct err *e)
{
	char folder[CLAIM_FOLDER], id[RECORD_PATH];
	auto_rundir run = RUNDIR_NONE;
	auto_oci c = { 0 };

	if (!oci_read_state(&c, fd, e))
		return false;
	if (!c.sandbox_id || !cni_is_id(c.sandbox_id) || strlen(c.sandbox_id) > RECORD_NAME)
		return true;
	if (!rundir_open(&run, false, e))
		return false;
	if (run.fd < 0)
		return true;
	claim_sandbox(folder, c.sandbox_id);
	switch (claim_owner(id, &run, folder)) {
	case CLAIM_NOBODYS:
		return true;
	case CLAIM_OWNED:
		return oci_read_bundle(&c, e) && pending_pod(&c, &run, id, w, e);
	case CLAIM_UNKNOWN:
	default:
		return err_set(e, ERR_IO, RUNDIR "/%s: cannot be read", folder);
	}
}

/*** without CNI ***/

/* Nothing is steered here: so autopath by the cache is ClusterFirst. */
static bool write_computed(const struct sandbox_file *file, const struct computed *computed,
			   struct warnings *w, struct err *e)
{
	const char *text = computed->serves ? computed_pick(computed, false, w)->text : NULL;
	const char *node_file = computed->input->network->conf.resolv_conf;
	struct inplace f = INPLACE_NONE;
	struct err fault = { 0 };
	bool done;

	if (!text)
		return true;
	if (!inplace_check(file->fd, file->path, node_file, &fault)) {
		warn(w, "target", "%s: left", fault.text);
		return true;
	}
	if (!inplace_open(&f, file->fd, file->path, e))
		return false;
	done = inplace_write(&f, text, true, e) || err_in(e, "%s: ", file->path);
	inplace_close(&f);
	return done;
}

static bool serve_container(const struct oci_container *c, const struct sandbox_file *file,
			    const char *path, struct warnings *w, struct err *e)
{
	struct compute_sources sources;
	struct computed computed;
	bool done = compute_for_container(&computed, &sources, path, c->annotations, w, e) &&
		    write_computed(file, &computed, w, e);

	compute_sources_done(&sources);
	return done;
}

bool hook_run_with_config(int fd, const char *path, struct warnings *w, struct err *e)
{
	auto_sandbox_file file = SANDBOX_FILE_NONE;
	auto_oci c = { 0 };

	if (*path != '/') { /* the hook's working directory is the OCI runtime's choice */
		warn(w, "config-file", "--config %s: not an absolute path: the container is left",
		     path);
		return true;
	}
	if (!oci_read_state(&c, fd, e))
		return false;
	if (c.sandbox_id || !cni_is_id(c.id)) /* a CRI container: CNI was called for its pod */
		return true;
	if (!oci_read_bundle(&c, e))
		return false;
	if (!c.own_network || !c.resolv_conf || !sandbox_is_storage_of(c.resolv_conf, c.id))
		return true;
	file = sandbox_hold(c.resolv_conf, NULL, w->arena);
	if (file.path && file.fd < 0)
		warn(w, "target", "%s: left", file.why);
	return file.fd < 0 || serve_container(&c, &file, path, w, e);
}
