/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as stdin: JSON, the configuration, what the pod asks for, the text for its file. */
#include "fuzz.h"
#include "err.h"
#include "json.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct err e = { 0 };
	json_auto_t *network = json_read((const char *)data, size, false, &e);

	fuzz_call(network, "K8S_POD_NAMESPACE=shop;K8S_POD_NAME=web");
	fuzz_call(network, "K8S_POD_NAMESPACE=shop;K8S_POD_NAME=web;K8S_POD_INFRA_CONTAINER_ID=c");
	return 0;
}
