/* SPDX-License-Identifier: Apache-2.0 */
/* CNI_ARGS, and who the pod is by it. */
#include "rows.h"
#include "scarce.h"
#include "config/request.h"
#include "cni/args.h"
#include "text.h"

#include <stdio.h>
#include <string.h>

static const struct row {
	const char *name, *in;
	const char *pod; /* NAMESPACE/NAME/UID, with ! before a CRI call's; NULL: refused */
	const char *error;
} rows[] = {
	{ "empty", "", "default//", NULL },
	{ "kubelet's",
	  "IgnoreUnknown=1;K8S_POD_NAMESPACE=shop;K8S_POD_NAME=web;"
	  "K8S_POD_INFRA_CONTAINER_ID=c1;K8S_POD_UID=u1",
	  "!shop/web/u1", NULL },
	{ "another order", "K8S_POD_INFRA_CONTAINER_ID=c1;K8S_POD_NAME=web;K8S_POD_NAMESPACE=shop",
	  "!shop/web/", NULL },
	{ "podman's", "IgnoreUnknown=1;K8S_POD_NAME=c;MAC=aa:bb:cc:dd:aa:00;IP=10.88.0.5",
	  "default/c/", NULL },
	{ "an empty namespace", "K8S_POD_NAMESPACE=;K8S_POD_NAME=web", "default/web/", NULL },
	{ "parts without =", ";;x;K8S_POD_NAME=web;y;", "default/web/", NULL },
	{ "= in a value", "K8S_POD_NAME=a=b", "default/a=b/", NULL },
	{ "keys are case-sensitive", "k8s_pod_name=web", "default//", NULL },
	{ "a key with two values", "K8S_POD_NAME=a;X=1;K8S_POD_NAME=b", NULL, "K8S_POD_NAME" },
	{ "an unknown key with two values", "X=1;X=2", NULL, "X" },
	{ "a key twice with the same value", "K8S_POD_NAME=a;X=;K8S_POD_NAME=a;X=", "default/a/",
	  NULL },
	{ "podman's IgnoreUnknown after the user's",
	  "IgnoreUnknown=true;K8S_POD_NAME=c;IgnoreUnknown=1", "default/c/", NULL },
	{ "nomad's", "NOMAD_NAMESPACE=team;NOMAD_GROUP_NAME=web;NOMAD_JOB_ID=j", "team/web/",
	  NULL },
	{ "nomad's author writes K8S_*",
	  "K8S_POD_NAMESPACE=kube-system;K8S_POD_NAME=dns;K8S_POD_INFRA_CONTAINER_ID=c;"
	  "K8S_POD_UID=u;NOMAD_ALLOC_ID=a",
	  "default//", NULL },
	{ "nomad's names, and its author's",
	  "NOMAD_NAMESPACE=n;NOMAD_GROUP_NAME=g;K8S_POD_NAMESPACE=kube-system;K8S_POD_NAME=x",
	  "n/g/", NULL },
	{ "a blank in the name", "K8S_POD_NAME=a b", NULL, "K8S_POD_NAME" },
	{ "a line break in the namespace", "K8S_POD_NAMESPACE=a\nb", NULL, "K8S_POD_NAMESPACE" },
	{ "a control character in the UID", "K8S_POD_UID=\033", NULL, "K8S_POD_UID" },
};

static void names_the_pod(void **state)
{
	const struct row *row = *state;
	auto_arena arena = { 0 };
	struct args args;
	struct pod pod = { 0 };
	struct err e = { 0 };
	bool ok = args_parse(&args, row->in, &arena, &e) && request_pod(&pod, &args, &e);
	char got[256];

	assert_int_equal(ok, !row->error);
	if (row->error) {
		assert_int_equal(e.code, ERR_ENV);
		assert_non_null(strstr(e.text, row->error));
		return;
	}
	(void)snprintf(got, sizeof(got), "%s%s/%s/%s", pod.cri ? "!" : "", pod.namespace, pod.name,
		       pod.uid);
	assert_string_equal(got, row->pod);
}

/* As many as are allowed, each between empty parts; then one more. */
static void are_bounded(void **state UNUSED)
{
	auto_text text = TEXT_UP_TO(1 << 20);
	auto_arena arena = { 0 };
	struct err e = { 0 };
	struct args args;

	for (int i = 0; i < ARGS_MAX; i++)
		text_print(&text, ";K%d=%d;", i, i);
	assert_true(text_ok(&text) && args_parse(&args, text.at, &arena, &e));
	assert_int_equal(args.n, ARGS_MAX);
	assert_string_equal(args_get(&args, "K255"), "255");
	text_print(&text, "K=");
	assert_true(text_ok(&text));
	assert_false(args_parse(&args, text.at, &arena, &e));
	assert_int_equal(e.code, ERR_ENV);
}

static void need_memory(void **state UNUSED)
{
	auto_arena arena = { 0 };
	struct err e = { 0 };
	struct args args;

	scarce_left = 0;
	assert_false(args_parse(&args, "K=V", &arena, &e));
	scarce_left = SCARCE_NOT;
	assert_int_equal(e.code, ERR_IO);
}

int main(void)
{
	const struct CMUnitTest others[] = { cmocka_unit_test(are_bounded),
					     cmocka_unit_test(need_memory) };

	return RUN_ROWS("args", rows, names_the_pod) + RUN_TESTS("all of them", others);
}
