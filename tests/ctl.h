/* SPDX-License-Identifier: Apache-2.0 */
/* pod-dnsctl run for real, by what the variable POD_DNSCTL names. It needs no root. */
#ifndef CTL_TEST_H
#define CTL_TEST_H

struct ctl_result {
	int exit;
	char *out, *err;
};

/* Runs it with arguments (NULL at the end) and `in` as stdin. ctl_result_done() frees. */
void ctl_call(struct ctl_result *r, const char *in, const char *const *args);
void ctl_result_done(struct ctl_result *r);

#endif
