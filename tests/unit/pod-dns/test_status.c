/* SPDX-License-Identifier: Apache-2.0 */
/* STATUS: whether ADD could work. */
#include "rows.h"
#include "stage.c"
#include "want.c"

#define RUN "/run/pod-dns"

static int64_t code(const char *command)
{
	const struct stage_cni call = {
		.command = command,
		.in = "{'cniVersion':'1.1.0','name':'net','type':'pod-dns',"
		      "'clusterDNS':['10.96.0.10'],'prevResult':{'cniVersion':'1.1.0'}}",
	};
	struct stage_result r;
	int64_t code = 0;
	json_t *doc;

	stage_cni(&call, &r);
	doc = want_one(&r.out);
	if (r.exit != 0)
		code = json_integer_value(json_object_get(doc, "code"));
	json_decref(doc);
	stage_result_done(&r);
	return code;
}

/*** what keeps ADD from working ***/

static void read_only(void)
{
	if (mount(RUN, RUN, NULL, MS_BIND, NULL) < 0 ||
	    mount(NULL, RUN, NULL, MS_BIND | MS_REMOUNT | MS_RDONLY, NULL) < 0)
		stage_broken("mount " RUN);
}

static void full(void)
{
	static const char page[4096];

	if (mount("small", RUN, "tmpfs", 0, "mode=0700,size=16k") < 0)
		stage_broken("mount " RUN);
	for (int i = 0; i < 4; i++) {
		char path[64];

		(void)snprintf(path, sizeof path, RUN "/.fill%d", i);
		stage_write(path, page, sizeof page);
	}
}

static void lock_is_a_link(void)
{
	stage_link(RUN "/.lock", "/run/elsewhere");
}

static const struct hindrance {
	const char *name;
	void (*make)(void);
} hindrances[] = {
	{ "a run folder that is read-only", read_only },
	{ "a run folder that is full", full },
	{ "a lock that is a link", lock_is_a_link },
};

static void is_told(void **state)
{
	const struct hindrance *row = *state;

	stage_netns("/run/netns/pod");
	assert_int_equal(code("STATUS"), 0);
	assert_int_equal(code("STATUS"), 0);
	row->make();
	assert_int_equal(code("STATUS"), 50);
	assert_int_equal(code("ADD"), 5);
}

int main(void)
{
	return RUN_ROWS("status", hindrances, is_told, STAGE);
}
