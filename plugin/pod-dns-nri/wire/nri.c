/* SPDX-License-Identifier: Apache-2.0 */
/* nri.c: the messages of NRI that a plugin for pods needs (nri.pkg.api.v1alpha1). */
#include "pod-dns-nri/wire/nri.h"
#include "pod-dns-nri/wire/protobuf.h"

#include <string.h>

enum { EVENT_RUN_POD = 1 };
enum { ANSWER_MAX = 4096 };

/* A namespace has its type as field 1 and its path as 2. */
static void read_namespace(struct nri_request *request, struct protobuf *namespace)
{
	char path[sizeof(request->pod.netns)] = "";
	struct protobuf_field field;
	bool network = false;

	while (protobuf_next(namespace, &field)) {
		if (field.number == 1)
			network = protobuf_is(&field, "network");
		if (field.number == 2)
			protobuf_copy(path, sizeof(path), &field);
	}
	if (!network)
		return;
	request->pod.has_netns = true;
	memcpy(request->pod.netns, path, sizeof(path));
}

/* LinuxPodSandbox: the namespaces are field 5. */
static void read_linux(struct nri_request *request, struct protobuf *linux_part)
{
	struct protobuf_field field;

	while (protobuf_next(linux_part, &field))
		if (field.number == 5 && field.has_bytes) {
			struct protobuf namespace = protobuf_in(&field);

			read_namespace(request, &namespace);
			linux_part->broken = linux_part->broken || namespace.broken;
		}
}

static void read_pod_fields(struct nri_request *request, struct protobuf *pod)
{
	struct protobuf_field field;

	while (protobuf_next(pod, &field)) {
		if (field.number == 8 && field.has_bytes) {
			struct protobuf linux_part = protobuf_in(&field);

			read_linux(request, &linux_part);
			pod->broken = pod->broken || linux_part.broken;
		}
		if (field.number == 1)
			protobuf_copy(request->pod.id, sizeof(request->pod.id), &field);
		if (field.number == 2)
			protobuf_copy(request->pod.name, sizeof(request->pod.name), &field);
		if (field.number == 4)
			protobuf_copy(request->pod.namespace, sizeof(request->pod.namespace),
				      &field);
		if (field.number == 3)
			protobuf_copy(request->pod.uid, sizeof(request->pod.uid), &field);
	}
}

static void read_configure(struct nri_request *request, struct protobuf *p)
{
	struct protobuf_field field;

	while (protobuf_next(p, &field)) {
		if (field.number == 2)
			protobuf_copy(request->runtime, sizeof(request->runtime), &field);
		if (field.number == 3)
			protobuf_copy(request->version, sizeof(request->version), &field);
	}
}

/* Pods and containers are skipped: the records say what is to be done. */
static void read_synchronize(struct nri_request *request, struct protobuf *p)
{
	struct protobuf_field field;

	while (protobuf_next(p, &field))
		if (field.number == 3)
			request->more = field.value != 0;
}

/* RunPodSandbox has the pod as field 1, StateChange the event's number as 1 and the pod as 2. */
static void read_event(struct nri_request *request, struct protobuf *p, uint64_t pod_number)
{
	struct protobuf_field field;
	uint64_t event = pod_number == 1 ? EVENT_RUN_POD : 0;

	while (protobuf_next(p, &field)) {
		if (field.number == 1 && !field.has_bytes)
			event = field.value;
		if (field.number == pod_number && field.has_bytes) {
			struct protobuf pod = protobuf_in(&field);

			read_pod_fields(request, &pod);
			p->broken = p->broken || pod.broken;
		}
	}
	if (event != EVENT_RUN_POD)
		request->call = NRI_OTHER_EVENT;
}

static const struct {
	const char *name;
	enum nri_call call;
} methods[] = {
	{ "Configure", NRI_CONFIGURE },	  { "Synchronize", NRI_SYNCHRONIZE },
	{ "RunPodSandbox", NRI_RUN_POD }, { "StateChange", NRI_RUN_POD },
	{ "Shutdown", NRI_OTHER_EVENT },
};

bool nri_read(struct nri_request *request, const struct ttrpc_request *call, struct err *e)
{
	struct protobuf p = { .at = call->payload, .left = call->len };

	*request = (struct nri_request){ 0 };
	if (strcmp(call->service, NRI_PLUGIN) != 0)
		return true;
	for (size_t i = 0; i < LEN(methods); i++)
		if (strcmp(call->method, methods[i].name) == 0)
			request->call = methods[i].call;
	switch (request->call) {
	case NRI_CONFIGURE:
		read_configure(request, &p);
		break;
	case NRI_SYNCHRONIZE:
		read_synchronize(request, &p);
		break;
	case NRI_RUN_POD:
		read_event(request, &p, strcmp(call->method, "StateChange") == 0 ? 2 : 1);
		break;
	case NRI_UNKNOWN:
	case NRI_OTHER_EVENT:
		break;
	}
	return !p.broken || err_set(e, ERR_DECODE, "%s: the message is broken", call->method);
}

void nri_put_register(struct text *out, uint32_t stream, const char *name, const char *index)
{
	auto_text payload = TEXT_UP_TO(ANSWER_MAX);

	protobuf_put_bytes(&payload, 1, name, strlen(name));
	protobuf_put_bytes(&payload, 2, index, strlen(index));
	ttrpc_put_request(out, stream, NRI_RUNTIME, "RegisterPlugin", &payload);
}

/*
 * Configure's answer says which events the plugin wants: a bit that the runtime does not know would
 * refuse the plugin. Synchronize's `more` must be that of the request.
 */
void nri_put_answer(struct text *out, uint32_t stream, const struct nri_request *request)
{
	auto_text payload = TEXT_UP_TO(ANSWER_MAX);

	if (request->call == NRI_UNKNOWN) {
		ttrpc_put_error(out, stream, TTRPC_UNIMPLEMENTED, "pod-dns does not have it");
		return;
	}
	if (request->call == NRI_CONFIGURE)
		protobuf_put_number(&payload, 2, 1u << (EVENT_RUN_POD - 1));
	if (request->call == NRI_SYNCHRONIZE && request->more)
		protobuf_put_number(&payload, 2, 1);
	ttrpc_put_answer(out, stream, &payload);
}
