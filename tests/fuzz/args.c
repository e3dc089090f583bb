/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as CNI_ARGS: who the pod is and what it asks for there. */
#include "fuzz.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = fuzz_copy(data, size);
	json_auto_t *network = json_pack("{s:[s], s:s}", "clusterDNS", "10.96.0.10", "onPodError",
					 size % 2 ? "ignore" : "fail");

	fuzz_call(network, text);
	free(text);
	return 0;
}
