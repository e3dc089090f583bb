/* SPDX-License-Identifier: Apache-2.0 */
/* pod-dns-nri as it is built; the test is the runtime. */
#include "pod-dns-nri/wire/bytes.h"
#include "pod-dns-nri/wire/mux.h"
#include "pod-dns-nri/wire/nri.h"
#include "pod-dns-nri/wire/protobuf.h"
#include "state/claim.h"
#include "state/nri_lock.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>

#include "rows.h"
#include "stage.c"
#include "want.c"

#define SOCKET	 "/run/nri.sock"
#define NETWORKS "/etc/networks"
#define RUNTIMES                                                                          \
	"search default.svc.cluster.local svc.cluster.local cluster.local node.example\n" \
	"nameserver 10.96.0.10\noptions ndots:5\n"
#define BYTES(literal) literal, sizeof(literal) - 1

/*** the record ***/

static struct record record; /* as it is laid */

static void lay_pod(struct rundir *run)
{
	auto_rundir_lock held = RUNDIR_UNLOCKED;
	char claims[CLAIM_FOLDER], path[RECORD_PATH];
	struct err e = { 0 };

	record = RECORD_BLANK;
	if (!rundir_open(run, true, &e) ||
	    !record_parse(&record, want_load_file("tests/data/records/pending-decided.json"), &e) ||
	    !record_path(path, &record.at, &e) || !rundir_lock(&held, run, &e))
		stage_broken("%s", e.text);
	claim_sandbox(claims, record.at.container_id);
	if (!record_write(&held, path, &record, &e) || !claim_add(&held, claims, path, &e))
		stage_broken("%s", e.text);
	stage_put(record.file, RUNTIMES);
}

static bool holds_ours(void)
{
	auto_text now = TEXT_UP_TO(4096);

	return file_read(&now, AT_FDCWD, record.file, false, NULL) &&
	       strcmp(now.at, record.text) == 0;
}

/*** the program, and the runtime ***/

static pid_t program;
static int listener = -1;

static void start_program(void)
{
	struct sockaddr_un at = { .sun_family = AF_UNIX, .sun_path = SOCKET };
	char path[512];

	listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (listener < 0 || bind(listener, (struct sockaddr *)&at, sizeof(at)) < 0 ||
	    listen(listener, 4) < 0 || !getenv("POD_DNS"))
		stage_broken("the runtime's socket");
	(void)snprintf(path, sizeof(path), "%s-nri", getenv("POD_DNS"));
	program = fork();
	if (program == 0) {
		(void)execl(path, path, "--socket", SOCKET, "--conf-dir", NETWORKS, (char *)NULL);
		_exit(127);
	}
}

/* Returns how it ended. */
static int stop_program(int signal)
{
	int status = -1;

	if (program > 0 && (kill(program, signal) < 0 || waitpid(program, &status, 0) < 0))
		stage_broken("the program");
	program = 0;
	if (listener >= 0)
		(void)close(listener);
	listener = -1;
	return status;
}

static int leave_stage(void **state)
{
	(void)stop_program(SIGKILL);
	return stage_teardown(state);
}

static void await_bytes(int fd)
{
	struct pollfd poll_fd = { .fd = fd, .events = POLLIN };

	if (poll(&poll_fd, 1, STAGE_SECONDS * 1000) != 1)
		fail_msg("the program sends nothing");
}

static void read_exactly(int fd, uint8_t *out, size_t len)
{
	for (size_t got = 0; got < len;) {
		ssize_t n;

		await_bytes(fd);
		n = read(fd, out + got, len - got);
		if (n <= 0)
			fail_msg("the program has closed the connection");
		got += (size_t)n;
	}
}

/* A message of the program: it fits into one frame. */
struct heard {
	uint32_t connection, stream;
	uint8_t type;
	size_t len;
	uint8_t data[MUX_SEND];
};

static void hear(int fd, struct heard *h)
{
	uint8_t header[MUX_HEADER + TTRPC_HEADER];

	read_exactly(fd, header, sizeof(header));
	h->connection = bytes_read32(header);
	h->len = bytes_read32(header + MUX_HEADER);
	assert_int_equal(bytes_read32(header + 4), h->len + TTRPC_HEADER);
	assert_true(h->len <= sizeof(h->data));
	h->stream = bytes_read32(header + MUX_HEADER + 4);
	h->type = header[MUX_HEADER + 8];
	read_exactly(fd, h->data, h->len);
}

static void send_bytes(int fd, const char *bytes, size_t len)
{
	while (len) {
		ssize_t n = send(fd, bytes, len, MSG_NOSIGNAL);

		if (n <= 0)
			stage_broken("send");
		bytes += n;
		len -= (size_t)n;
	}
}

static void send_stream(int fd, uint32_t connection, const struct text *message)
{
	auto_text frames = TEXT_UP_TO(16 << 20);

	mux_frame(&frames, connection, message);
	send_bytes(fd, frames.at, frames.len);
}

/* Calls the program and reads its answer. */
static void call(int fd, const char *method, const char *payload, size_t len, struct heard *answer)
{
	static uint32_t stream = 1;
	auto_text message = TEXT_UP_TO(8 << 20), body = TEXT_UP_TO(8 << 20);

	stream += 2;
	if (len)
		text_put(&body, payload, len);
	ttrpc_put_request(&message, stream, NRI_PLUGIN, method, &body);
	send_stream(fd, MUX_PLUGIN, &message);
	hear(fd, answer);
	assert_int_equal(answer->connection, MUX_PLUGIN);
	assert_int_equal(answer->stream, stream);
	assert_int_equal(answer->type, TTRPC_RESPONSE);
}

static int accept_program(void)
{
	struct heard h;
	int fd;

	await_bytes(listener);
	fd = accept4(listener, NULL, NULL, SOCK_CLOEXEC);
	if (fd < 0)
		stage_broken("accept");
	hear(fd, &h);
	assert_int_equal(h.connection, MUX_RUNTIME);
	assert_int_equal(h.type, TTRPC_REQUEST);
	return fd;
}

static void answer_registration(int fd)
{
	auto_text message = TEXT_UP_TO(4096);

	ttrpc_put_answer(&message, 1, &(struct text){ 0 });
	send_stream(fd, MUX_RUNTIME, &message);
}

/* As runtimes do: Configure may come first. */
static int connected_program(void)
{
	int fd = accept_program();
	struct heard h;

	call(fd, "Configure",
	     BYTES("\x12\x0a"
		   "containerd\x1a\x02v2"),
	     &h);
	assert_int_equal(h.len, 4);
	assert_memory_equal(h.data, "\x12\x02\x10\x01", 4); /* RunPodSandbox alone */
	answer_registration(fd);
	call(fd, "Synchronize", BYTES("\x18\x01"), &h);
	assert_int_equal(h.len, 4);
	assert_memory_equal(h.data, "\x12\x02\x10\x01", 4); /* more follows */
	call(fd, "Synchronize", BYTES(""), &h);
	assert_int_equal(h.len, 0);
	return fd;
}

/* A pod with the record's ID, as field NUMBER after PREFIX. */
static void put_event(struct text *out, const char *prefix, unsigned number)
{
	auto_text pod = TEXT_UP_TO(1024);

	protobuf_put_bytes(&pod, 1, record.at.container_id, strlen(record.at.container_id));
	protobuf_put_bytes(&pod, 2, "web", 3);
	text_put(out, prefix, strlen(prefix));
	protobuf_put_bytes(out, number, pod.at, pod.len);
}

/*** tests ***/

static const struct row {
	const char *name, *method, *prefix;
	unsigned number;
	bool written;
} rows[] = {
	{ "pod starts, NRI 0.12", "RunPodSandbox", "", 1, true },
	{ "pod starts, NRI 0.11", "StateChange", "\x08\x01", 2, true },
	{ "pod stops", "StateChange", "\x08\x02", 2, false },
};

static void file_is_written_when_the_event_is_answered(void **state)
{
	const struct row *row = *state;
	auto_rundir run = RUNDIR_NONE;
	auto_text event = TEXT_UP_TO(4096);
	struct heard h;
	auto_fd fd = -1;

	start_program();
	fd = connected_program();
	lay_pod(&run);
	assert_true(nri_lock_serves(&run));
	put_event(&event, row->prefix, row->number);
	call(fd, row->method, event.at, event.len, &h);
	assert_int_equal(h.len, 0);
	assert_int_equal(holds_ours(), row->written);
	record_done(&record);
}

static void what_awaits_is_written_before_synchronize_is_answered(void **state UNUSED)
{
	auto_rundir run = RUNDIR_NONE;
	auto_fd fd = -1;

	lay_pod(&run);
	start_program();
	fd = connected_program();
	assert_true(fd >= 0 && holds_ours());
	record_done(&record);
}

/* The runtime waits for the answer: it comes while another process has the lock. */
static void answer_does_not_wait_for_the_lock(void **state UNUSED)
{
	auto_rundir run = RUNDIR_NONE;
	auto_rundir_lock held = RUNDIR_UNLOCKED;
	auto_text event = TEXT_UP_TO(4096);
	struct heard h;
	auto_fd fd = -1;

	start_program();
	fd = connected_program();
	lay_pod(&run);
	put_event(&event, "", 1);
	assert_true(rundir_lock(&held, &run, NULL));
	call(fd, "RunPodSandbox", event.at, event.len, &h);
	assert_int_equal(h.len, 0);
	assert_false(holds_ours());
	rundir_unlock(&held);
	for (int i = 0; i < STAGE_SECONDS * 100 && !holds_ours(); i++)
		(void)nanosleep(&(struct timespec){ .tv_nsec = 10000000 }, NULL);
	assert_true(holds_ours());
	record_done(&record);
}

/*** the host's network ***/

#define HOST_FILE      "/var/lib/containerd/io.containerd.grpc.v1.cri/sandboxes/h1/resolv.conf"
#define HOST_RECORD    "/run/pod-dns/lab/h1@-.json"
#define KUBELETS       "search node.example\nnameserver 127.0.0.53\noptions edns0\n"
#define WITH_RULE      "search node.example\nnameserver 127.0.0.53\noptions edns0 ndots:1\n"
#define OPTION	       "'dnsConfig':{'options':[{'name':'ndots','value':'1'}]}"
#define CACHE	       "'nodeCache':{'addresses':['192.0.2.1'],'steer':'nameserver'},'measure':true,"
#define NAMES_NO_NETNS NULL
#define OF_NODE	       "/run/netns/host"
#define OF_POD	       "/run/netns/pod"
#define WITH_NO_PATH   ""

static const struct on_host {
	const char *name, *keys, *netns, *text;
	const char *state; /* of the record; NULL: there is none */
} on_hosts[] = {
	{ "rule, containerd", "'rules':[{'hostNetwork':true," OPTION "}]", NAMES_NO_NETNS,
	  WITH_RULE, "computed" },
	{ "rule, CRI-O", "'rules':[{'hostNetwork':true," OPTION "}]", OF_NODE, WITH_RULE,
	  "computed" },
	{ "rule, network that steers and measures",
	  CACHE "'clusterDNS':['127.0.0.53'],'rules':[{'hostNetwork':true," OPTION "}]",
	  NAMES_NO_NETNS, WITH_RULE, "computed" },
	{ "rule of its namespace",
	  "'rules':[{'hostNetwork':true,'namespaces':['shop'],'pods':['web']," OPTION "}]",
	  NAMES_NO_NETNS, WITH_RULE, "computed" },
	{ "rule that observes", "'rules':[{'hostNetwork':true,'mode':'observe'," OPTION "}]",
	  NAMES_NO_NETNS, KUBELETS, "computed" },
	{ "rule that is off", "'rules':[{'hostNetwork':true,'mode':'off'," OPTION "}]",
	  NAMES_NO_NETNS, KUBELETS, NULL },
	{ "rule of another namespace",
	  "'rules':[{'hostNetwork':true,'namespaces':['x']," OPTION "}]", NAMES_NO_NETNS, KUBELETS,
	  NULL },
	{ "rule of pods with a network", "'rules':[{" OPTION "}]", NAMES_NO_NETNS, KUBELETS, NULL },
	{ "network's dnsConfig", OPTION, NAMES_NO_NETNS, KUBELETS, NULL },
	{ "pod of its own network", "'rules':[{'hostNetwork':true," OPTION "}]", OF_POD, KUBELETS,
	  NULL },
	{ "path too long or missing", "'rules':[{'hostNetwork':true," OPTION "}]", WITH_NO_PATH,
	  KUBELETS, NULL },
	{ "faulty network", "'rules':[{'hostNetwork':true,'steer':'pod'," OPTION "}]",
	  NAMES_NO_NETNS, KUBELETS, NULL },
};

static void lay_network(const char *keys)
{
	auto_text conflist = TEXT_UP_TO(4096);

	text_print(&conflist,
		   "{'cniVersion':'1.0.0','name':'lab','plugins':[{'type':'pod-dns',%s}]}", keys);
	stage_put(NETWORKS "/10-lab.conflist", rows_json(conflist.at));
	stage_put(NETWORKS "/20-other.conflist", "{}");
}

static void lay_host_pod(void)
{
	stage_put(HOST_FILE, KUBELETS);
	stage_netns(OF_POD);
	stage_put(OF_NODE, "");
	if (mount("/proc/self/ns/net", OF_NODE, NULL, MS_BIND, NULL) < 0)
		stage_broken("mount " OF_NODE);
}

/* RunPodSandbox of the pod shop/web. */
static void put_host_event(struct text *out, const char *netns)
{
	auto_text pod = TEXT_UP_TO(1024), linux_part = TEXT_UP_TO(1024), space = TEXT_UP_TO(1024);

	protobuf_put_bytes(&pod, 1, "h1", 2);
	protobuf_put_bytes(&pod, 2, "web", 3);
	protobuf_put_bytes(&pod, 4, "shop", 4);
	protobuf_put_bytes(&space, 1, "mount", 5);
	protobuf_put_bytes(&space, 2, OF_POD, strlen(OF_POD));
	protobuf_put_bytes(&linux_part, 5, space.at, space.len);
	if (netns) {
		text_cut(&space, 0);
		protobuf_put_bytes(&space, 1, "network", 7);
		protobuf_put_bytes(&space, 2, netns, strlen(netns));
		protobuf_put_bytes(&linux_part, 5, space.at, space.len);
	}
	protobuf_put_bytes(&pod, 8, linux_part.at, linux_part.len);
	protobuf_put_bytes(out, 1, pod.at, pod.len);
}

static void assert_host_record(const struct on_host *row)
{
	json_auto_t *document = NULL;

	assert_int_equal(stage_has(HOST_RECORD), row->state != NULL);
	if (!row->state)
		return;
	document = want_load_file(HOST_RECORD);
	assert_string_equal(json_string_value(want_at(document, "/decision/state")), row->state);
	assert_string_equal(json_string_value(want_at(document, "/inputs/runtimeText")), KUBELETS);
	assert_string_equal(json_string_value(want_at(document, "/text")), WITH_RULE);
	assert_int_equal(json_array_size(want_at(document, "/warnings")), 0);
	assert_null(json_object_get(document, "measured"));
	assert_false(json_is_object(json_object_get(document, "steering")));
}

/* A second event of the pod finds the work done. */
static void pod_on_the_hosts_network_has_what_a_rule_says(void **state)
{
	const struct on_host *row = *state;
	auto_text event = TEXT_UP_TO(4096);
	struct heard h;
	auto_fd fd = -1;

	lay_network(row->keys);
	lay_host_pod();
	start_program();
	fd = connected_program();
	put_host_event(&event, row->netns);
	for (int i = 0; i < 2; i++) {
		call(fd, "RunPodSandbox", event.at, event.len, &h);
		assert_int_equal(h.len, 0);
		stage_holds(HOST_FILE, row->text);
		assert_host_record(row);
	}
}

/* The runtime waits for the answer: the pod keeps the runtime's text. */
static void answer_of_a_host_pod_does_not_wait_for_the_lock(void **state UNUSED)
{
	auto_rundir run = RUNDIR_NONE;
	auto_rundir_lock held = RUNDIR_UNLOCKED;
	auto_text event = TEXT_UP_TO(4096);
	struct heard h;
	auto_fd fd = -1;

	lay_network(on_hosts[0].keys);
	lay_host_pod();
	start_program();
	fd = connected_program();
	put_host_event(&event, NAMES_NO_NETNS);
	assert_true(rundir_open(&run, false, NULL) && rundir_lock(&held, &run, NULL));
	call(fd, "RunPodSandbox", event.at, event.len, &h);
	stage_holds(HOST_FILE, KUBELETS);
	assert_false(stage_has(HOST_RECORD));
}

static void unknown_method_is_answered_unimplemented(void **state UNUSED)
{
	struct heard h;
	auto_fd fd = -1;

	start_program();
	fd = connected_program();
	call(fd, "ValidateContainerAdjustment", BYTES(""), &h);
	assert_memory_equal(h.data + 2, "\x08\x0c", 2);
	call(fd, "RunPodSandbox", BYTES(""), &h);
	assert_int_equal(h.len, 0);
}

static const struct refused {
	const char *name, *bytes;
	size_t len;
} refused[] = {
	{ "frame too long", BYTES("\0\0\0\x01\x7f\xff\xff\xff") },
	{ "message too long", BYTES("\0\0\0\x01\0\0\0\x0a\x7f\xff\xff\xff\0\0\0\x05\x01\0") },
	{ "message that is not protobuf",
	  BYTES("\0\0\0\x01\0\0\0\x0b\0\0\0\x01\0\0\0\x05\x01\0\xff") },
	{ "registration refused",
	  BYTES("\0\0\0\x02\0\0\0\x0e\0\0\0\x04\0\0\0\x01\x02\0\x0a\x02\x08\x05") },
};

/* Closes the connection, and connects again. */
static void program_connects_again(void **state)
{
	const struct refused *row = *state;
	auto_rundir run = RUNDIR_NONE;
	uint8_t byte;
	int fd, again;

	start_program();
	fd = connected_program();
	send_bytes(fd, row->bytes, row->len);
	await_bytes(fd);
	assert_true(read(fd, &byte, 1) <= 0);
	(void)close(fd);
	again = accept_program();
	assert_true(rundir_open(&run, false, NULL));
	assert_false(nri_lock_serves(&run));
	(void)close(again);
}

static void sigterm_ends_it_and_removes_its_file(void **state UNUSED)
{
	auto_rundir run = RUNDIR_NONE;
	auto_fd fd = -1;

	start_program();
	fd = connected_program();
	assert_true(fd >= 0 && rundir_open(&run, false, NULL) && nri_lock_serves(&run));
	assert_int_equal(stop_program(SIGTERM), 0);
	assert_false(stage_has("/run/pod-dns/" NRI_LOCK));
}

#ifndef __SANITIZE_ADDRESS__
static unsigned resident_kib(void)
{
	auto_text status = TEXT_UP_TO(1 << 16);
	char path[64];
	const char *line;

	(void)snprintf(path, sizeof(path), "/proc/%d/status", program);
	if (!file_read(&status, AT_FDCWD, path, false, NULL))
		stage_broken("%s", path);
	line = strstr(status.at, "VmRSS:");
	return line ? (unsigned)strtoul(line + 6, NULL, 10) : 0;
}

/* The pods of a node, as large as a message may be; then pods that come and go. */
static void memory_stays_below_four_mib(void **state UNUSED)
{
	auto_text pods = TEXT_UP_TO(8 << 20), pod = TEXT_UP_TO(1 << 20);
	char labels[7000];
	struct heard h;
	auto_fd fd = -1;

	start_program();
	fd = connected_program();
	memset(labels, 'x', sizeof(labels));
	protobuf_put_bytes(&pod, 1, "abc", 3);
	protobuf_put_bytes(&pod, 5, labels, sizeof(labels));
	for (int i = 0; i < 500; i++)
		protobuf_put_bytes(&pods, 1, pod.at, pod.len);
	assert_true(pods.len > 3400000);
	call(fd, "Synchronize", pods.at, pods.len, &h);
	for (int i = 0; i < 500; i++)
		call(fd, "RunPodSandbox", pods.at, 3 + pod.len, &h);
	assert_in_range(resident_kib(), 1, 4095);
}
#endif

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_awaits_is_written_before_synchronize_is_answered),
		cmocka_unit_test(answer_does_not_wait_for_the_lock),
		cmocka_unit_test(answer_of_a_host_pod_does_not_wait_for_the_lock),
		cmocka_unit_test(unknown_method_is_answered_unimplemented),
		cmocka_unit_test(sigterm_ends_it_and_removes_its_file),
#ifndef __SANITIZE_ADDRESS__
		cmocka_unit_test(memory_stays_below_four_mib),
#endif
	};

	return RUN_ROWS("events", rows, file_is_written_when_the_event_is_answered, stage_enter,
			stage_setup, leave_stage) +
	       RUN_ROWS("on the host's network", on_hosts,
			pod_on_the_hosts_network_has_what_a_rule_says, stage_enter, stage_setup,
			leave_stage) +
	       RUN_ROWS("refused", refused, program_connects_again, stage_enter, stage_setup,
			leave_stage) +
	       RUN_TESTS("the program", tests, stage_enter, stage_setup, leave_stage);
}
