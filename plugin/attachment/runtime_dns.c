/* SPDX-License-Identifier: Apache-2.0 */
/* runtime_dns.c: the DNS configuration that the runtime has made for a pod. */
#include "attachment/runtime_dns.h"
#include "config/request.h"
#include "state/claim.h"
#include "targets/inplace.h"
#include "policy/policy.h"

#include <string.h>

/* A record is JSON: a text that is long or no UTF-8 is kept as rendered from its parsed lists. */
static bool is_to_be_kept(const char *text)
{
	enum { KEPT_MAX = 64 << 10 }; /* bytes; what kubelet writes has a few thousand at most */

	return strlen(text) <= KEPT_MAX && text_is_utf8(text);
}

bool runtime_dns_parse(struct runtime_dns *f, const char *text, struct warnings *w, struct err *e)
{
	f->buffer = TEXT_UP_TO(INPLACE_MAX);
	text_print(&f->buffer, "%s", text);
	if (!text_ok(&f->buffer))
		return err_set(e, ERR_IO, "the runtime's text: out of memory");
	(void)resolv_parse(&f->lists, f->buffer.at, f->buffer.len, RESOLV_VERBATIM, FROM_RUNTIME,
			   w->arena);
	policy_clean(&f->lists, "the runtime's configuration", w);
	f->runtime_text = is_to_be_kept(text) ? arena_print(w->arena, "%s", text)
					      : resolv_text(&f->lists, INPLACE_MAX, w->arena);
	f->from = "file";
	return true;
}

/* Reads the record that owns the runtime's file; blank if it does not exist or has another version.
 */
static bool find_owner_record(struct record *record, const struct rundir *r,
			      const struct sandbox *sandbox, struct err *e)
{
	char folder[CLAIM_FOLDER], path[RECORD_PATH];

	claim_sandbox(folder, sandbox->container_id);
	switch (r->fd < 0 ? CLAIM_NOBODYS : claim_owner(path, r, folder)) {
	case CLAIM_UNKNOWN:
		return err_set(e, ERR_IO, RUNDIR "/%s: cannot be read", folder);
	case CLAIM_OWNED:
		return record_read(record, r, path) != RECORD_UNREADABLE ||
		       err_set(e, ERR_IO, RUNDIR "/%s: cannot be read", path);
	case CLAIM_NOBODYS:
	default:
		return true;
	}
}

/*
 * If an ADD of ours wrote `now`, the runtime's text is in that ADD's record. So it is if an
 * adoption was killed before it wrote; it may have made the file longer. Fails where the record
 * cannot be read: our own text would be taken for the runtime's.
 */
static bool look_for_ours(struct runtime_dns *f, const struct rundir *r,
			  const struct sandbox *sandbox, const char *now, struct arena *a,
			  struct err *e)
{
	auto_record record = RECORD_BLANK;
	const char *runtimes;

	if (!find_owner_record(&record, r, sandbox, e))
		return false;
	runtimes = record.inputs.runtime_text;
	if (runtimes && record_wrote(&record, now))
		f->written = arena_print(a, "%s", now);
	f->recorded = f->written || (runtimes && record.adopting && text_same_lines(runtimes, now));
	if (f->recorded)
		f->runtime_text = arena_print(a, "%s", runtimes);
	return true;
}

/* A file that is not the runtime's is not read. It is an error if an earlier ADD has written it. */
static bool pass_over(const struct sandbox *sandbox, const struct sandbox_file *file,
		      struct warnings *w, struct err *e)
{
	auto_record record = RECORD_BLANK;
	auto_rundir run = RUNDIR_NONE;

	if (!rundir_open(&run, false, e) || !find_owner_record(&record, &run, sandbox, e))
		return false;
	if (record.document)
		return err_set(e, ERR_IO, "%s: not read, and an earlier ADD has written it",
			       file->why);
	warn(w, "runtime-file", "%s: not read", file->why);
	return true;
}

static enum capability read_capability(struct runtime_dns *f, const json_t *network,
				       struct warnings *w, struct err *e)
{
	enum capability capability = request_runtime_dns(&f->lists, network, w->arena, e);

	if (capability != CAPABILITY_READ)
		return capability;
	if (!f->recorded)
		f->runtime_text = resolv_text(&f->lists, INPLACE_MAX, w->arena);
	f->from = "capability";
	policy_clean(&f->lists, "the runtime's configuration", w);
	return CAPABILITY_READ;
}

/* Reads the file under the lock, so that no other ADD writes meanwhile. */
static bool read_locked(struct runtime_dns *f, struct inplace *looked,
			const struct sandbox *sandbox, const struct sandbox_file *file,
			struct err *fault, struct arena *a, struct err *e)
{
	auto_rundir run = RUNDIR_NONE;
	auto_rundir_lock held = RUNDIR_UNLOCKED;

	if (!rundir_open(&run, false, e))
		return false;
	if (run.fd < 0 && !rundir_open(&run, true, e)) /* another ADD could make it, and write */
		return false;
	if (!rundir_lock(&held, &run, e))
		return false;
	if (!inplace_refresh(looked, file->path, fault))
		return true;
	text_unfit_nuls(looked->old.at, looked->old.len);
	return look_for_ours(f, &run, sandbox, looked->old.at, a, e);
}

/* The text of the pod's file, and whether it is ours. *fault says why it cannot be read. */
static bool read_file(struct runtime_dns *f, struct text *now, const struct sandbox *sandbox,
		      const struct sandbox_file *file, struct err *fault, struct arena *a,
		      struct err *e)
{
	struct inplace looked = INPLACE_NONE;
	bool done = !inplace_look(&looked, file->fd, file->path, fault) ||
		    read_locked(f, &looked, sandbox, file, fault, a, e);

	*now = looked.old;
	looked.old = (struct text){ 0 };
	inplace_close(&looked);
	return done;
}

bool runtime_dns_read(struct runtime_dns *f, const json_t *network, const struct sandbox *sandbox,
		      struct warnings *w, struct err *e)
{
	const struct sandbox_file *file = sandbox->cri ? sandbox_input(sandbox) : NULL;
	auto_text now = TEXT_UP_TO(INPLACE_MAX);
	struct err fault = { 0 };
	enum capability capability;

	*f = (struct runtime_dns){ 0 };
	/* The file is read even if capability dns is there: the record needs to know which of our
	 * entries are in it. */
	if (file && file->fd >= 0 && !read_file(f, &now, sandbox, file, &fault, w->arena, e))
		return false;
	capability = read_capability(f, network, w, e);
	if (capability != CAPABILITY_ABSENT || !file)
		return capability != CAPABILITY_FAULTY;
	if (file->fd < 0)
		return pass_over(sandbox, file, w, e);
	*e = fault;
	if (fault.code)
		e->code = ERR_IO;
	return !fault.code && runtime_dns_parse(f, f->recorded ? f->runtime_text : now.at, w, e);
}

void runtime_dns_done(struct runtime_dns *f)
{
	text_done(&f->buffer);
}
