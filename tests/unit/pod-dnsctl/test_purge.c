/* SPDX-License-Identifier: Apache-2.0 */
/* What attachments have left: records that cannot be listed are not taken for none. */
#include "state/record.h"

static bool is_listed;

static bool list_none(struct rundir_list *out, const struct rundir *r UNUSED,
		      const char *network UNUSED, struct arena *a UNUSED)
{
	*out = (struct rundir_list){ 0 };
	return is_listed;
}

#define record_list list_none
#include "pod-dnsctl/install/purge.c"

#include "rows.h"
#include "stage.c"

static const struct row {
	const char *name;
	bool whole;
} rows[] = {
	{ "there are none", true },
	{ "they cannot be listed", false },
};

static void is_told(void **state)
{
	static const struct ctl_verb verb = { .name = "uninstall" };
	bool (*const counts[])(struct ctl *, size_t *, struct err *) = { purge_ended, purge_all };
	const struct row *row = *state;
	auto_arena a = { 0 };
	struct out out;
	struct ctl ctl = { .verb = &verb, .out = &out, .err = &out, .arena = &a };
	size_t left;

	out_open(&out, stdout);
	if (mkdir(RUNDIR, 0700) < 0)
		stage_broken(RUNDIR);
	is_listed = row->whole;
	for (int i = 0; i < 3; i++) {
		struct err e = { 0 };
		bool done = i == 2 ? purge_sees_pods(&ctl, &e) : counts[i](&ctl, &left, &e);

		assert_int_equal(done, row->whole);
		assert_int_equal(e.code, row->whole ? 0 : ERR_IO);
	}
}

int main(void)
{
	return RUN_ROWS("uninstall", rows, is_told, STAGE);
}
