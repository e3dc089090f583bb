/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as the payload of each of the runtime's calls. */
#include "fuzz.h"

#include <stdlib.h>
#include <stdio.h>
#include <string.h>

#include "pod-dns-nri/wire/nri.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char *const methods[] = { "Configure", "Synchronize", "RunPodSandbox",
					       "StateChange" };

	for (size_t i = 0; i < LEN(methods); i++) {
		struct ttrpc_request call = { .payload = data, .len = size };
		struct nri_request request;

		(void)snprintf(call.service, sizeof(call.service), NRI_PLUGIN);
		(void)snprintf(call.method, sizeof(call.method), "%s", methods[i]);
		(void)nri_read(&request, &call, NULL);
		if (strlen(request.pod.id) >= sizeof(request.pod.id))
			abort();
	}
	return 0;
}
