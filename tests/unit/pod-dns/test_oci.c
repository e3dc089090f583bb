/* SPDX-License-Identifier: Apache-2.0 */
/* What an OCI runtime tells a hook: states and bundles, good and bad. */
#include "pod-dns/oci.h"

#include "rows.h"
#include "stage.c"

static void same(const char *got, const char *want)
{
	if (want)
		assert_non_null(got);
	else
		assert_null(got);
	if (want)
		assert_string_equal(got, want);
}

/*** the state ***/

#define HEAD	   "{'ociVersion':'1.0.2','id':'x1','bundle':'/run/b'"
#define CONTAINERD "'io.kubernetes.cri.sandbox-id'"
#define CRIO	   "'io.kubernetes.cri-o.SandboxID'"

static const struct state {
	const char *name, *in;
	bool good;
	const char *sandbox;
} states[] = {
	{ "without annotations", HEAD "}", true, NULL },
	{ "annotations null", HEAD ",'annotations':null}", true, NULL },
	{ "annotations no object", HEAD ",'annotations':[1]}", true, NULL },
	{ "containerd's", HEAD ",'annotations':{" CONTAINERD ":'c1'}}", true, "c1" },
	{ "CRI-O's", HEAD ",'annotations':{" CRIO ":'c1'}}", true, "c1" },
	{ "both", HEAD ",'annotations':{" CRIO ":'c2'," CONTAINERD ":'c1'}}", true, "c1" },
	{ "an ID that is no string", HEAD ",'annotations':{" CONTAINERD ":1}}", true, NULL },
	{ "an ID with a NUL", HEAD ",'annotations':{" CONTAINERD ":'c1\\u0000x'}}", true, NULL },
	{ "no id", "{'bundle':'/run/b'}", false, NULL },
	{ "no bundle", "{'id':'x1'}", false, NULL },
	{ "a bundle with a NUL", "{'id':'x1','bundle':'/run/b\\u0000'}", false, NULL },
	{ "a relative bundle", "{'id':'x1','bundle':'run/b'}", false, NULL },
	{ "an empty bundle", "{'id':'x1','bundle':''}", false, NULL },
	{ "id is a number", "{'id':1,'bundle':'/run/b'}", false, NULL },
	{ "an array", "[]", false, NULL },
	{ "null", "null", false, NULL },
	{ "a word", "x", false, NULL },
	{ "cut short", HEAD, false, NULL },
	{ "two documents", HEAD "}{}", false, NULL },
	{ "nothing", "", false, NULL },
};

static void reads_state(void **state)
{
	const struct state *row = *state;
	auto_fd fd = stage_memfd(rows_json(row->in));
	struct err e = { 0 };
	auto_oci c = { 0 };

	assert_int_equal(oci_read_state(&c, fd, &e), row->good);
	if (row->good) {
		assert_string_equal(c.id, "x1");
		assert_string_equal(c.bundle, "/run/b");
		same(c.sandbox_id, row->sandbox);
	} else {
		assert_int_equal(e.code, ERR_DECODE);
		assert_non_null(strstr(e.text, "state"));
	}
}

/* Whose words the annotations are: the runtime's own, or the pod author's through it. */
#define STORAGE	    "/run/containers/storage/overlay-containers/x1/userdata"
#define CONTAINERS  "/run/containerd/io.containerd.runtime.v2.task/k8s.io/x1"
#define SAYS_CRIO   "'io.container.manager':'cri-o','io.kubernetes.cri-o.ResolvPath':'/p'"
#define SAYS_LIBPOD "'io.container.manager':'libpod'"

static const struct believed {
	const char *name, *bundle, *annotations;
	const char *sandbox, *named_file;
} beliefs[] = {
	{ "containerd's own", CONTAINERS, CONTAINERD ":'c1'", "c1", NULL },
	{ "containerd's, and an author who poses as CRI-O", CONTAINERS,
	  CONTAINERD ":'c1'," CRIO ":'c2'," SAYS_CRIO, "c1", NULL },
	{ "containerd's, and an author who poses as podman", CONTAINERS,
	  CONTAINERD ":'c1'," SAYS_LIBPOD, "c1", NULL },
	{ "CRI-O's own", STORAGE, CRIO ":'c2'," SAYS_CRIO, "c2", "/p" },
	{ "CRI-O's, and an author who poses as containerd", STORAGE,
	  CRIO ":'c2'," CONTAINERD ":'c1'," SAYS_CRIO, "c2", "/p" },
	{ "a path of nobody's", STORAGE, CRIO ":'c2','io.kubernetes.cri-o.ResolvPath':'/p'", "c2",
	  NULL },
	{ "podman's", STORAGE, CRIO ":'c2'," SAYS_LIBPOD, NULL, NULL },
	{ "another's bundle", "/run/containers/storage/overlay-containers/x11/userdata",
	  CRIO ":'c2'," CONTAINERD ":'c1'," SAYS_CRIO, "c1", NULL },
	{ "a bundle that ends so", "/x1/userdata", CRIO ":'c2'," CONTAINERD ":'c1'," SAYS_CRIO,
	  "c1", NULL },
};

static void believes(void **state)
{
	const struct believed *row = *state;
	struct err e = { 0 };
	auto_oci c = { 0 };
	char text[1024];
	auto_fd fd = -1;

	(void)snprintf(text, sizeof(text), "{'id':'x1','bundle':'%s','annotations':{%s}}",
		       row->bundle, row->annotations);
	fd = stage_memfd(rows_json(text));
	assert_true(oci_read_state(&c, fd, &e));
	same(c.sandbox_id, row->sandbox);
	same(c.named_file, row->named_file);
}

static void no_state_to_read(void **state UNUSED)
{
	struct err e = { 0 };
	auto_oci c = { 0 };

	assert_false(oci_read_state(&c, -1, &e));
	assert_int_equal(e.code, ERR_IO);
}

/*** the bundle ***/

#define MOUNT(to, from) "{'destination':'" to "','source':'" from "'}"

static const struct bundle {
	const char *name, *in; /* NULL: no config.json */
	unsigned code;	       /* 0: read */
	const char *source;
} bundles[] = {
	{ "a mount", "{'mounts':[" MOUNT("/proc", "proc") "," MOUNT("/etc/resolv.conf", "/a") "]}",
	  0, "/a" },
	{ "two, the last is seen",
	  "{'mounts':[" MOUNT("/etc/resolv.conf", "/a") "," MOUNT("/etc/resolv.conf", "/b") "]}", 0,
	  "/b" },
	{ "the last without a source",
	  "{'mounts':[" MOUNT("/etc/resolv.conf", "/a") ",{'destination':'/etc/resolv.conf'}]}", 0,
	  NULL },
	{ "on another place", "{'mounts':[" MOUNT("/etc/resolv.conf/", "/a") "]}", 0, NULL },
	{ "no mounts", "{}", 0, NULL },
	{ "mounts null", "{'mounts':null}", 0, NULL },
	{ "mounts of other kinds", "{'mounts':[1,null,'x',{'destination':1,'source':2}]}", 0,
	  NULL },
	{ "a source with a NUL", "{'mounts':[" MOUNT("/etc/resolv.conf", "/a\\u0000") "]}", 0,
	  NULL },
	{ "no JSON", "{", ERR_DECODE, NULL },
	{ "nothing in it", "", ERR_DECODE, NULL },
	{ "no file", NULL, ERR_IO, NULL },
};

static void reads_bundle(void **state)
{
	const struct bundle *row = *state;
	auto_fd fd = stage_memfd(rows_json(HEAD "}"));
	struct err e = { 0 };
	auto_oci c = { 0 };

	stage_put("/run/b/x", "");
	if (row->in)
		stage_put("/run/b/config.json", rows_json(row->in));
	assert_true(oci_read_state(&c, fd, &e));
	assert_int_equal(oci_read_bundle(&c, &e), !row->code);
	assert_int_equal(e.code, row->code);
	if (row->code)
		assert_non_null(strstr(e.text, "/run/b/config.json"));
	same(c.resolv_conf, row->source);
}

static void a_long_path(void **state UNUSED)
{
	char text[8192], path[5000];
	struct err e = { 0 };
	auto_oci c = { 0 };
	auto_fd fd = -1;

	memset(path, 'b', sizeof(path));
	path[0] = '/';
	path[sizeof(path) - 1] = '\0';
	(void)snprintf(text, sizeof(text), "{\"id\":\"x1\",\"bundle\":\"%s\"}", path);
	fd = stage_memfd(text);
	assert_true(oci_read_state(&c, fd, &e));
	assert_false(oci_read_bundle(&c, &e));
	assert_int_equal(e.code, ERR_IO);
}

int main(void)
{
	const struct CMUnitTest others[] = { cmocka_unit_test(no_state_to_read),
					     cmocka_unit_test(a_long_path) };

	return RUN_ROWS("states", states, reads_state) + RUN_ROWS("beliefs", beliefs, believes) +
	       RUN_TESTS("bad states", others) + RUN_ROWS("bundles", bundles, reads_bundle, STAGE);
}
