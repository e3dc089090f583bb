/* SPDX-License-Identifier: Apache-2.0 */
/* Where a runtime keeps a pod's file: the forms of its path, and what a process or mountinfo says.
 */
#include "targets/sandbox.c" /* for its statics */

#include "rows.h"
#include "stage.c"

#include <sys/mount.h>

/*** templates ***/

static const struct fill {
	const char *name, *pattern, *path;
} fills[] = {
	{ "no holder", "/a/resolv.conf", "/a/resolv.conf" },
	{ "a holder", "/a/{containerID}/resolv.conf", "/a/c1/resolv.conf" },
	{ "two of them, at the ends", "{containerID}/{containerID}", "c1/c1" },
	{ "half of one", "/a/{containerID/{containerid}", "/a/{containerID/{containerid}" },
	{ "a brace before it", "/{{containerID}}", "/{c1}" },
	{ "nothing", "", "" },
};

static void fills_in(void **state)
{
	const struct fill *row = *state;
	char out[PATH_MAX];

	assert_true(sandbox_fill(out, row->pattern, "c1"));
	assert_string_equal(out, row->path);
}

static void fills_to_the_brim(void **state UNUSED)
{
	char out[PATH_MAX], id[PATH_MAX + 1], pattern[PATH_MAX + 1];

	memset(id, 'c', sizeof(id));
	id[PATH_MAX - 2] = '\0';
	assert_true(sandbox_fill(out, "/{containerID}", id));
	assert_int_equal(strlen(out), PATH_MAX - 1);
	assert_false(sandbox_fill(out, "/x{containerID}", id));
	assert_false(sandbox_fill(out, "/{containerID}x", id));
	assert_false(sandbox_fill(out, "/{containerID}{containerID}", id));
	memset(pattern, 'p', sizeof(pattern));
	pattern[PATH_MAX - 1] = '\0';
	assert_true(sandbox_fill(out, pattern, "c1"));
	assert_string_equal(out, pattern);
	pattern[PATH_MAX - 1] = 'p';
	pattern[PATH_MAX] = '\0';
	assert_false(sandbox_fill(out, pattern, "c1"));
}

/*** a path's form ***/

#define BELOW "/io.containerd.grpc.v1.cri/sandboxes/"

static const struct form {
	const char *name, *path;
	bool is;
} forms[] = {
	{ "containerd", "/var/lib/containerd" BELOW "c1/resolv.conf", false },
	{ "without a root", "-containers/c1/userdata/resolv.conf", false },
	{ "another's", "/run/s/overlay-containers/c2/userdata/resolv.conf", false },
	{ "another's whose ID ends alike", "/run/s/o-containers/xc1/userdata/resolv.conf", false },
	{ "another file", "/run/s/overlay-containers/c1/userdata/hosts", false },
	{ "something behind it", "/run/s/overlay-containers/c1/userdata/resolv.conf/", false },
	{ "CRI-O, podman", "/run/s/overlay-containers/c1/userdata/resolv.conf", true },
	{ "another driver", "/run/s/vfs-containers/c1/userdata/resolv.conf", true },
	{ "no driver", "/run/s/containers/c1/userdata/resolv.conf", false },
	{ "not absolute", "s/overlay-containers/c1/userdata/resolv.conf", false },
	{ "the host's own", "/etc/resolv.conf", false },
	{ "nothing", "", false },
};

static void has_form(void **state)
{
	const struct form *row = *state;

	assert_int_equal(sandbox_is_storage_of(row->path, "c1"), row->is);
}

/*** mountinfo ***/

static const struct line {
	const char *name, *line, *point; /* NULL: none */
} lines[] = {
	{ "as the kernel writes it", "22 1 0:21 / /run/shm rw - tmpfs shm rw\n", "/run/shm" },
	{ "a blank in the root field", "22 1 0:21 /a\\040b /run/shm rw - tmpfs shm rw\n",
	  "/run/shm" },
	{ "other white space in the root field", "22 1 0:21 /a\r/b /run/shm rw - tmpfs shm rw\n",
	  "/run/shm" },
	{ "other white space in the mount point", "22 1 0:21 / /run/a\vb rw - tmpfs shm rw\n",
	  "/run/a\vb" },
	{ "a blank in the mount point", "22 1 0:21 / /run/a\\040b rw - tmpfs shm rw\n", NULL },
	{ "cut behind the mount point", "22 1 0:21 / /run/shm", NULL },
	{ "its line ends there", "22 1 0:21 / /run/shm\n23 1 0:22 / /x rw - tmpfs t rw\n", NULL },
	{ "too few fields", "22 1 0:21", NULL },
	{ "nothing", "", NULL },
};

static void reads_line(void **state)
{
	const struct line *row = *state;
	char out[PATH_MAX];

	assert_int_equal(mount_point(out, row->line), row->point != NULL);
	if (row->point)
		assert_string_equal(out, row->point);
}

/* CRI-O as it is before ADD: shm mounted, the file beside it; or a user's mount at such a place. */
static void lay_mount(const char *root, const char *type)
{
	char path[512];

	(void)snprintf(path, sizeof(path), "%s/c1/userdata/resolv.conf", root);
	stage_put(path, "x\n");
	(void)snprintf(path, sizeof(path), "%s/c1/userdata/shm/.x", root);
	stage_put(path, "");
	(void)snprintf(path, sizeof(path), "%s/c1/userdata/shm", root);
	if (mount("shm", path, type, 0, NULL) < 0)
		stage_broken("mount %s", path);
}

/* What sandbox_locate() finds, or (`expected`) expects. */
static bool locate(char out[static PATH_MAX], const char *id, bool cri, int parent, bool expected)
{
	const struct conf conf = { .rules = { .n = 0 } };
	struct sandbox s = SANDBOX_NONE;
	auto_arena a = { 0 };
	const char *path;

	sandbox_locate(&s, &conf, id, cri, parent, &a);
	path = expected ? s.expected : s.runtimes.path;
	if (path)
		(void)snprintf(out, PATH_MAX, "%s", path);
	sandbox_done(&s);
	return path != NULL;
}

static bool find_file(char out[static PATH_MAX], const char *id, bool cri, int parent)
{
	return locate(out, id, cri, parent, false);
}

static bool expect_file_of(char out[static PATH_MAX], const char *id, int parent)
{
	return locate(out, id, true, parent, true);
}

static void lay_crio(const char *root)
{
	lay_mount(root, "tmpfs");
}

static void finds_what_is_mounted(void **state UNUSED)
{
	char out[PATH_MAX], own[16] = "";

	lay_crio("/run/a b/overlay-containers"); /* an escape: not read, and no harm */
	lay_mount("/run/user/1000/overlay-containers", "ramfs");
	lay_crio("/run/own/overlay-containers");
	assert_false(find_file(out, "c1", true, getpid())); /* anybody may mount something so */
	assert_int_equal(prctl(PR_GET_NAME, own), 0);
	assert_int_equal(prctl(PR_SET_NAME, "crio"), 0);
	assert_true(find_file(out, "c1", true, getpid()));
	assert_string_equal(out, "/run/own/overlay-containers/c1/userdata/resolv.conf");
	assert_false(find_file(out, "1", true, getpid()));
	assert_false(find_file(out, "c1", false, getpid())); /* in a CRI call only */
	assert_int_equal(prctl(PR_SET_NAME, own), 0);
}

/* podman has its file where CRI-O has, and writes it anew after ADD. */
static void knows_crio_from_podman(void **state UNUSED)
{
	static const char path[] =
		"/run/containers/storage/overlay-containers/c1/userdata/resolv.conf";
	char out[PATH_MAX];

	stage_put(path, "x\n");
	assert_true(find_file(out, "c1", true, 1));
	assert_string_equal(out, path);
	assert_false(find_file(out, "c1", false, 1));
}

/*** the parent's descriptors ***/

#define HELD "/io.containerd.metadata.v1.bolt/meta.db"

static void reveals_a_root(void **state UNUSED)
{
	char out[PATH_MAX];
	auto_fd held = -1;

	stage_put("/run/root" HELD, "");
	assert_true(expect_file_of(out, "c1", getpid()));
	assert_string_equal(out, "/var/lib/containerd" BELOW "c1/resolv.conf");
	held = open("/run/root" HELD, O_RDONLY | O_CLOEXEC);
	assert_true(held >= 0);
	assert_true(expect_file_of(out, "c1", getpid()));
	assert_string_equal(out, "/run/root" BELOW "c1/resolv.conf");
	assert_false(find_file(out, "c1", true, getpid()));
	stage_put("/run/root" BELOW "c1/resolv.conf", "x\n");
	assert_true(find_file(out, "c1", true, getpid()));
	assert_string_equal(out, "/run/root" BELOW "c1/resolv.conf");
}

/* A folder below /run whose path has `len` bytes; such are made step by step only. */
static int deep_folder(size_t len)
{
	char name[201];
	int at = open("/run", O_PATH | O_DIRECTORY | O_CLOEXEC);

	for (size_t left = len - strlen("/run"); left;) {
		size_t part = left > 202 ? 200 : left - 1;
		auto_fd above = at;

		if (left == 202) /* not one byte is to be left for a slash alone */
			part = 100;
		memset(name, 'd', part);
		name[part] = '\0';
		if (mkdirat(at, name, 0755) < 0)
			stage_broken("mkdir");
		at = openat(above, name, O_PATH | O_DIRECTORY | O_CLOEXEC);
		left -= part + 1;
	}
	return at;
}

/* The longest link that there is, and paths below it that are longer than any may be. */
static void reveals_no_longer_root(void **state UNUSED)
{
	auto_fd folder = deep_folder(PATH_MAX - 1 - strlen(HELD)), held = -1;
	char out[PATH_MAX];

	if (mkdirat(folder, "io.containerd.metadata.v1.bolt", 0755) < 0)
		stage_broken("mkdir");
	held = openat(folder, &HELD[1], O_RDWR | O_CREAT | O_CLOEXEC, 0644);
	assert_true(held >= 0);
	reveal_root(out, getpid());
	assert_int_equal(strlen(out), PATH_MAX - 1 - strlen(HELD));
	assert_false(expect_file_of(out, "c1", getpid()));
	assert_false(find_file(out, "c1", true, getpid()));
}

/* Nobody reveals one: one that is in use, else one that exists, else the usual one. */
static void guesses_a_root(void **state UNUSED)
{
	const char *all[] = { "/var/lib/containerd", "/var/lib/rancher", "/var/lib/k0s" };
	char out[PATH_MAX];

	for (size_t i = 0; i < LEN(all); i++)
		(void)umount2(all[i], MNT_DETACH);
	(void)rmdir("/var/lib/containerd");
	assert_true(expect_file_of(out, "c1", 1));
	assert_string_equal(out, "/var/lib/containerd" BELOW "c1/resolv.conf");
	stage_put("/var/lib/k0s/containerd/x", "");
	assert_true(expect_file_of(out, "c1", 1));
	assert_string_equal(out, "/var/lib/k0s/containerd" BELOW "c1/resolv.conf");
	stage_put("/var/lib/containerd/x", "");
	assert_true(expect_file_of(out, "c1", 1));
	assert_string_equal(out, "/var/lib/containerd" BELOW "c1/resolv.conf");
	stage_put("/var/lib/k0s/containerd" HELD, "");
	assert_true(expect_file_of(out, "c1", 1));
	assert_string_equal(out, "/var/lib/k0s/containerd" BELOW "c1/resolv.conf");
}

/* Where the file is not there at ADD, it will not come. */
static void expects_nothing_of_others(void **state UNUSED)
{
	char out[PATH_MAX], own[16] = "";

	stage_put("/var/lib/containerd" HELD, "");
	assert_int_equal(prctl(PR_GET_NAME, own), 0);
	assert_int_equal(prctl(PR_SET_NAME, "crio"), 0);
	assert_false(expect_file_of(out, "c1", getpid()));
	assert_int_equal(prctl(PR_SET_NAME, "cri-dockerd"), 0);
	assert_false(expect_file_of(out, "c1", getpid()));
	assert_int_equal(prctl(PR_SET_NAME, own), 0);
	assert_true(expect_file_of(out, "c1", getpid()));
}

static void finds_nerdctls(void **state UNUSED)
{
	char out[PATH_MAX];

	stage_put("/var/lib/nerdctl/1935db59/containers/a-b/c1/resolv.conf", "x\n");
	assert_true(find_file(out, "a-b-c1", false, 1));
	assert_string_equal(out, "/var/lib/nerdctl/1935db59/containers/a-b/c1/resolv.conf");
	assert_false(find_file(out, "-c1", false, 1));
	assert_false(find_file(out, "a-b-", false, 1));
	assert_false(find_file(out, "c1", false, 1));
	stage_put("/var/lib/nerdctl/2/containers/a-b/c1/resolv.conf", "x\n");
	assert_false(find_file(out, "a-b-c1", false, 1)); /* which of them? */
}

/*** what was found, held ***/

#define USUAL "/var/lib/containerd" BELOW "c1/resolv.conf"

static struct sandbox located(struct arena *a, const char *template)
{
	json_auto_t *targets = template ? json_pack("[s]", template) : NULL;
	struct conf c = { .targets = targets };
	struct sandbox s;

	sandbox_locate(&s, &c, "c1", true, 1, a);
	return s;
}

/* Whatever takes the place of the file under its name, what was found stays what it is. */
static void holds_the_file(void **state UNUSED)
{
	struct inplace f = INPLACE_NONE;
	auto_arena arena = { 0 };
	struct err e = { 0 };
	struct sandbox s;

	stage_put(USUAL, "first\n");
	s = located(&arena, NULL);
	assert_string_equal(s.runtimes.path, USUAL);
	assert_ptr_equal(sandbox_input(&s), &s.runtimes);
	assert_null(s.expected);
	assert_int_equal(rename(USUAL, USUAL ".old"), 0);
	stage_put(USUAL, "second\n");
	assert_true(inplace_look(&f, s.runtimes.fd, s.runtimes.path, &e));
	assert_string_equal(f.old.at, "first\n");
	inplace_close(&f);
	assert_int_equal(unlink(USUAL ".old"), 0);
	assert_false(inplace_open(&f, s.runtimes.fd, s.runtimes.path, &e));
	assert_non_null(strstr(e.text, "0 names"));
	sandbox_done(&s);
}

/* What is no file of a runtime's is neither input nor target, and is said to be there. */
static void holds_no_giant(void **state UNUSED)
{
	auto_arena arena = { 0 };
	struct sandbox s;

	stage_put(USUAL, "x\n");
	assert_int_equal(truncate(USUAL, (off_t)5 << 30), 0);
	s = located(&arena, NULL);
	assert_string_equal(s.runtimes.path, USUAL);
	assert_int_equal(s.runtimes.fd, -1);
	assert_true(s.runtimes.why && strstr(s.runtimes.why, "longer than"));
	sandbox_done(&s);
}

static void prefers_a_template(void **state UNUSED)
{
	auto_arena arena = { 0 };
	struct sandbox s;

	stage_put(USUAL, "x\n");
	stage_put("/run/own/c1/resolv.conf", "y\n");
	s = located(&arena, "/run/own/{containerID}/resolv.conf");
	assert_ptr_equal(sandbox_input(&s), &s.templated);
	assert_string_equal(s.templated.path, "/run/own/c1/resolv.conf");
	sandbox_done(&s);
	assert_int_equal(chmod("/run/own", 0777), 0);
	s = located(&arena, "/run/own/{containerID}/resolv.conf");
	assert_int_equal(s.templated.fd, -1);
	assert_ptr_equal(sandbox_input(&s), &s.runtimes);
	sandbox_done(&s);
}

static void expects_what_is_not_there(void **state UNUSED)
{
	auto_arena arena = { 0 };
	struct sandbox s;

	s = located(&arena, NULL);
	assert_null(s.runtimes.path);
	assert_null(sandbox_input(&s));
	assert_string_equal(s.expected, USUAL);
	sandbox_done(&s);
}

int main(void)
{
	const struct CMUnitTest others[] = {
		cmocka_unit_test(fills_to_the_brim),
		cmocka_unit_test(finds_what_is_mounted),
		cmocka_unit_test(knows_crio_from_podman),
		cmocka_unit_test(reveals_a_root),
		cmocka_unit_test(reveals_no_longer_root),
		cmocka_unit_test(guesses_a_root),
		cmocka_unit_test(expects_nothing_of_others),
		cmocka_unit_test(finds_nerdctls),
		cmocka_unit_test(holds_the_file),
		cmocka_unit_test(holds_no_giant),
		cmocka_unit_test(prefers_a_template),
		cmocka_unit_test(expects_what_is_not_there),
	};

	return RUN_ROWS("templates", fills, fills_in) + RUN_ROWS("paths", forms, has_form) +
	       RUN_ROWS("mountinfo", lines, reads_line) + RUN_TESTS("finding", others, STAGE);
}
