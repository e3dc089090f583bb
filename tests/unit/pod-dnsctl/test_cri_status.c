/* SPDX-License-Identifier: Apache-2.0 */
/* What a runtime's Status says of the chain that it has loaded. */
#include "pod-dnsctl/install/cri_status.h"
#include "rows.h"

#include <string.h>

#define TEXT "{'plugins':[{'type':'x'},{'type':'pod-dns','mode':'off'}]}"
#define WITH                  \
	"{'PluginConfDir':'/" \
	"n','Networks':[{'Config':{'Plugins':[{'Network':{'type':'pod-dns'}}]}}]}"
#define WITHOUT \
	"{'PluginConfDir':'/n','Networks':[{'Config':{'Plugins':[{'Network':{'type':'x'}}]}}]}"
/* `source` is JSON in a string in JSON. */
#define WITH_SOURCE(source)                                                                        \
	"{'PluginConfDir':'/n','Networks':[{'Config':{'Plugins':[{'Network':{'type':'pod-dns'}}]," \
	"'Source':'" source "'}}]}"

static const struct row {
	const char *name, *key, *value, *wanted;
	enum cri_chain seen;
} rows[] = {
	{ "with us", "cniconfig", WITH, TEXT, CRI_LOADED },
	{ "without us", "cniconfig", WITHOUT, TEXT, CRI_NOT_LOADED },
	{ "with us, and must be without", "cniconfig", WITH, NULL, CRI_NOT_LOADED },
	{ "without us, as it must be", "cniconfig", WITHOUT, NULL, CRI_LOADED },
	{ "with our text, spelt another way", "cniconfig",
	  WITH_SOURCE("{ \\'plugins\\': "
		      "[{\\'type\\':\\'x\\'},{\\'mode\\':\\'off\\',\\'type\\':\\'pod-dns\\'}] }"),
	  TEXT, CRI_LOADED },
	{ "with us, but as we were before", "cniconfig",
	  WITH_SOURCE("{\\'plugins\\':[{\\'type\\':\\'x\\'},{\\'type\\':\\'pod-dns\\'}]}"), TEXT,
	  CRI_NOT_LOADED },
	{ "another folder", "cniconfig", "{'PluginConfDir':'/other','Networks':[]}", TEXT,
	  CRI_UNSEEN },
	{ "no network yet", "cniconfig", "{'PluginConfDir':'/n','Networks':[]}", TEXT,
	  CRI_NOT_LOADED },
	{ "another runtime's info", "config", WITH, TEXT, CRI_UNSEEN },
	{ "no JSON", "cniconfig", "{", TEXT, CRI_UNSEEN },
	{ "JSON of another shape", "cniconfig",
	  "{'PluginConfDir':'/"
	  "n','Networks':[7,{'Config':[]},{'Config':{'Plugins':[{'Network':{'type':5}}]}}]}",
	  TEXT, CRI_NOT_LOADED },
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
	const char *wanted = row->wanted ? rows_json(row->wanted) : NULL;
	uint8_t message[2048];
	size_t len = make(message, row);

	assert_int_equal(cri_status_read(message, len, "/n", wanted), row->seen);
	/* Cut anywhere it says nothing, and reads no further than it was given. */
	for (size_t cut = 0; cut < len; cut++) {
		uint8_t *part = malloc(cut + 1);

		assert_non_null(part);
		memcpy(part, message, cut);
		assert_int_equal(cri_status_read(part, cut, "/n", wanted), CRI_UNSEEN);
		free(part);
	}
}

int main(void)
{
	return RUN_ROWS("cri_status", rows, reads);
}
