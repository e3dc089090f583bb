/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as what kubectl prints, a pod or a List: rendered on a node whose conflist uses all. */
#include "fuzz.h"

#include <stdlib.h>
#include <string.h>

#include "pod-dnsctl/verbs.h"

int LLVMFuzzerInitialize(int *argc, char ***argv);

enum { CONFLIST = 100, NODE_FILE, PODS };

static const char node_file[] = "search node.example\nnameserver 192.0.2.53\noptions edns0\n";

static const char conflist[] =
	"{\"cniVersion\":\"1.0.0\",\"name\":\"n\",\"plugins\":[{\"type\":\"bridge\"},"
	"{\"type\":\"pod-dns\",\"capabilities\":{\"dns\":true,"
	"\"io.kubernetes.cri.pod-annotations\":true},"
	"\"clusterDNS\":[\"10.96.0.10\",\"fd00::a\"],\"clusterDomain\":\"cluster.local\","
	"\"resolvConf\":\"/dev/fd/101\",\"podMay\":[\"dnsPolicy\",\"nameservers\",\"searches\","
	"\"options\"],\"onPodError\":\"ignore\",\"guards\":\"fix\","
	"\"nodeCache\":{\"addresses\":[\"169.254.20.10\"],\"steer\":\"pod\"},\"autopath\":"
	"\"cache\","
	"\"dnsConfig\":{\"options\":[{\"name\":\"ndots\",\"value\":\"2\"}]},"
	"\"rules\":[{\"namespaces\":[\"kube-*\"],\"dnsPolicy\":\"Default\"},"
	"{\"namespaces\":[\"o\"],\"mode\":\"observe\"},"
	"{\"pods\":[\"w*\"],\"dnsPolicy\":\"ClusterFirstWithAutopath\"}]}]}";

static int run(char *const argv[])
{
	char *text = NULL;
	int status = fuzz_verb(&text, &ctl_verb_render, argv);

	free(text);
	return status;
}

/* An ordinary pod: a conflist that is refused would let no input through. */
int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	static char *const ordinary[] = { "render", "/dev/fd/100", NULL };

	(void)argc;
	(void)argv;
	fuzz_file(CONFLIST, conflist, strlen(conflist));
	fuzz_file(NODE_FILE, node_file, strlen(node_file));
	if (run(ordinary) != 0)
		abort();
	return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static char *const plain[] = { "render", "/dev/fd/100", "--pod", "/dev/fd/102", NULL };
	static char *const diff[] = { "render",	     "/dev/fd/100", "--pod",
				      "/dev/fd/102", "--diff",	    NULL };
	static char *const json[] = { "render", "/dev/fd/100", "--pod", "/dev/fd/102",
				      "--diff", "-ojson",      NULL };
	int status;

	fuzz_file(PODS, data, size);
	status = run(plain);
	if (run(diff) != status || run(json) != status)
		abort();
	return 0;
}
