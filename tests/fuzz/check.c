/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as a conflist and, behind lines of ---, kubelet's file and the configFile: checked. */
#include "fuzz.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pod-dnsctl/check/runtime_version.h"
#include "pod-dnsctl/verbs.h"

/* What the seeds name as their configFile is CONFIG_FILE. */
enum { CONFLIST = 100, KUBELET, CONFIG_FILE };

/* In place of the library's: none is run here. */
bool runtime_version_find(struct runtime_version *out)
{
	*out = (struct runtime_version){ "containerd", "1.7.27", "1.0.0" };
	return true;
}

/* The bytes up to a line of ---; the rest is what is behind it. */
static size_t part_of(const uint8_t *data, size_t size, size_t *next)
{
	static const char line[] = "\n---\n";
	const uint8_t *end = memmem(data, size, line, strlen(line));
	size_t len = end ? (size_t)(end - data) : size;

	*next = end ? len + strlen(line) : size;
	return len;
}

/* JSON has every finding that the last line for people counts. */
static void compare(const char *shown, const char *document)
{
	json_auto_t *json = json_loads(document, 0, NULL);
	unsigned errors = 0, warnings = 0;

	for (const char *end; (end = strchr(shown, '\n')); shown = end + 1)
		if (!end[1])
			(void)sscanf(shown, "%u error%*[s,] %u", &errors, &warnings);
	if (json_array_size(json_object_get(json, "findings")) != errors + warnings)
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static char *const plain[] = { "check", "/dev/fd/100", "--kubelet", "/dev/fd/101", NULL };
	static char *const json[] = { "check",	   "-ojson",	  "/dev/fd/100",
				      "--kubelet", "/dev/fd/101", NULL };
	char *shown = NULL, *document = NULL;
	size_t next;

	for (int fd = CONFLIST; fd <= CONFIG_FILE; fd++) {
		fuzz_file(fd, data, part_of(data, size, &next));
		data += next;
		size -= next;
	}
	if (fuzz_verb(&shown, &ctl_verb_check, plain) !=
	    fuzz_verb(&document, &ctl_verb_check, json))
		abort();
	compare(shown, document);
	free(shown);
	free(document);
	return 0;
}
