/* SPDX-License-Identifier: Apache-2.0 */
/* What a runtime's Status says of the chain that it has loaded. */
#include "pod-dnsctl/install/cri_status.h"
#include "rows.h"

#include <string.h>

#define WITH                  \
	"{'PluginConfDir':'/" \
	"n','Networks':[{'Config':{'Plugins':[{'Network':{'type':'pod-dns'}}]}}]}"
#define WITHOUT \
	"{'PluginConfDir':'/n','Networks':[{'Config':{'Plugins':[{'Network':{'type':'x'}}]}}]}"

static const struct row {
	const char *name, *key, *value;
	enum cri_chain seen;
} rows[] = {
	{ "with us", "cniconfig", WITH, CRI_WITH_US },
	{ "without us", "cniconfig", WITHOUT, CRI_WITHOUT_US },
	{ "another folder", "cniconfig", "{'PluginConfDir':'/other','Networks':[]}", CRI_UNSEEN },
	{ "no network yet", "cniconfig", "{'PluginConfDir':'/n','Networks':[]}", CRI_WITHOUT_US },
	{ "another runtime's info", "config", WITH, CRI_UNSEEN },
	{ "no JSON", "cniconfig", "{", CRI_UNSEEN },
	{ "JSON of another shape", "cniconfig",
	  "{'PluginConfDir':'/"
	  "n','Networks':[7,{'Config':[]},{'Config':{'Plugins':[{'Network':{'type':5}}]}}]}",
	  CRI_WITHOUT_US },
};

static size_t put(uint8_t *out, uint8_t tag, const void *bytes, size_t len)
{
	size_t n = 0;

	out[n++] = tag;
	out[n++] = (uint8_t)(len & 0x7f) | 0x80;
	out[n++] = (uint8_t)(len >> 7);
	memcpy(out + n, bytes, len);
	return n + len;
}

/* A StatusResponse: field 1 the conditions, field 2 an entry of the map. */
static size_t make(uint8_t *out, const struct row *row)
{
	const char *value = rows_json(row->value);
	uint8_t entry[1024];
	size_t n = put(entry, 0x0a, row->key, strlen(row->key));

	n += put(entry + n, 0x12, value, strlen(value));
	return put(out + put(out, 0x0a, "\x0a\x00", 2), 0x12, entry, n) + 5;
}

static void reads(void **state)
{
	const struct row *row = *state;
	uint8_t message[2048];
	size_t len = make(message, row);

	assert_int_equal(cri_status_read(message, len, "/n"), row->seen);
	/* Cut anywhere it says nothing, and reads no further than it was given. */
	for (size_t cut = 0; cut < len; cut++) {
		uint8_t *part = malloc(cut + 1);

		assert_non_null(part);
		memcpy(part, message, cut);
		assert_int_equal(cri_status_read(part, cut, "/n"), CRI_UNSEEN);
		free(part);
	}
}

int main(void)
{
	return RUN_ROWS("cri_status", rows, reads);
}
