/* runtime_dns.c: the finished configuration: what the runtime decided for a pod before CNI runs. */
#include "attachment/runtime_dns.h"
#include "config/request.h"
#include "state/claim.h"
#include "targets/hostfile.h"
#include "targets/inplace.h"
#include "policy/policy.h"
#include "targets/sandbox.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>

/*** which file ***/

/* The first template of `targets` that leads to a file of a pod, not to the host's. */
static bool find_template(char out[static PATH_MAX], const struct conf *c, const char *container_id)
{
	struct stat st;

	for (size_t i = 0; i < c->targets.n; i++)
		if (c->targets.at[i][0] == '/' &&
		    sandbox_fill(out, c->targets.at[i], container_id) && sandbox_is_file(out) &&
		    !(lstat(out, &st) == 0 && hostfile_is(file_id(&st), c->resolv_conf)))
			return true;
	return false;
}

/* Returns the file to read, NULL: there is none. */
static const char *find(struct place *place, const struct conf *c, struct arena *a)
{
	char path[PATH_MAX];

	place->node_file = c->resolv_conf;
	if (sandbox_find(path, place->container_id, place->cri, getppid()))
		place->sandbox = arena_print(a, "%s", path);
	else if (place->cri && sandbox_expect(path, place->container_id, getppid()))
		place->expected = arena_print(a, "%s", path);
	if (find_template(path, c, place->container_id))
		return arena_print(a, "%s", path);
	return place->sandbox;
}

/*** what it says ***/

static const char *rendered(const struct resolv *r, struct arena *a)
{
	auto_text text = TEXT_UP_TO(INPLACE_MAX);

	text_put(&text, "", 0);
	resolv_render(&text, r);
	return text_ok(&text) ? arena_print(a, "%s", text.at) : NULL;
}

/* A record is JSON, and not for comments: other texts are kept as what was understood of them. */
static bool is_to_be_kept(const char *text)
{
	enum { KEPT_MAX = 64 << 10 }; /* bytes; kubelet's bounds come to a few thousand */

	return strlen(text) <= KEPT_MAX && text_is_utf8(text);
}

bool runtime_dns_parse(struct runtime_dns *f, const char *text, struct warnings *w, struct err *e)
{
	f->buffer = TEXT_UP_TO(INPLACE_MAX);
	text_print(&f->buffer, "%s", text);
	if (!text_ok(&f->buffer))
		return err_set(e, ERR_IO, "the runtime's text: out of memory");
	(void)resolv_parse(&f->lists, f->buffer.at, f->buffer.len, RESOLV_VERBATIM, FROM_RUNTIME);
	policy_clean(&f->lists, "the runtime's configuration", w);
	f->runtime_text = is_to_be_kept(text) ? arena_print(w->arena, "%s", text)
					      : rendered(&f->lists, w->arena);
	f->from = "file";
	return true;
}

/*
 * Looks whether `now` is what an ADD of ours wrote: then the runtime's text is in its record. Where
 * that cannot be seen nothing may be concluded: our words would pass for the pod's.
 */
static bool look_for_ours(struct runtime_dns *f, const struct place *place, const char *now,
			  struct arena *a, struct err *e)
{
	char folder[CLAIM_FOLDER], path[RECORD_PATH];
	auto_rundir run = RUNDIR_NONE;
	json_auto_t *record = NULL;
	const char *theirs;
	enum record found;
	bool claimed;

	claim_sandbox(folder, place->container_id);
	if (!rundir_open(&run, false, e))
		return false;
	if (run.fd < 0)
		return true;
	if (!claim_find_owner(path, &claimed, &run, folder, e))
		return false;
	found = claimed ? record_read(&record, &run, path) : RECORD_NONE;
	if (found == RECORD_UNREADABLE)
		return err_set(e, ERR_IO, RUNDIR "/%s: cannot be read", path);
	if (found != RECORD_KNOWN)
		return true;
	theirs = record_string(json_object_get(record, "inputs"), "runtimeText");
	if (theirs && record_wrote(record, now)) {
		f->runtime_text = arena_print(a, "%s", theirs);
		f->written = arena_print(a, "%s", now);
	}
	return true;
}

static bool read_capability(struct runtime_dns *f, const json_t *network, struct warnings *w,
			    struct err *e)
{
	if (!request_finished(&f->lists, network, e))
		return false;
	f->runtime_text = rendered(&f->lists, w->arena);
	f->from = "capability";
	policy_clean(&f->lists, "the runtime's configuration", w);
	return true;
}

bool runtime_dns_read(struct runtime_dns *f, const json_t *network, struct place *place,
		      const struct conf *c, struct warnings *w, struct err *e)
{
	const char *path = find(place, c, w->arena);
	auto_text now = TEXT_UP_TO(INPLACE_MAX);
	struct err fault = { 0 };
	bool told;

	*f = (struct runtime_dns){ 0 };
	/* Also where the capability says it all: what we wrote there is to be known again. */
	if (place->cri && path && file_read(&now, AT_FDCWD, path, false, &fault)) {
		text_unfit_nuls(&now);
		if (!look_for_ours(f, place, now.at, w->arena, e))
			return false;
	}
	told = read_capability(f, network, w, e);
	if (told || e->code || !place->cri || !path)
		return !e->code;
	*e = fault;
	return !fault.code && runtime_dns_parse(f, f->written ? f->runtime_text : now.at, w, e);
}

void runtime_dns_done(struct runtime_dns *f)
{
	text_done(&f->buffer);
}
