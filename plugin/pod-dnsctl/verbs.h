/* SPDX-License-Identifier: Apache-2.0 */
/* verbs.h: the verbs of pod-dnsctl, each a file that describes itself (ctl.h). */
#ifndef POD_DNSCTL_VERBS_H
#define POD_DNSCTL_VERBS_H

#include "pod-dnsctl/cli/ctl.h"

extern const struct ctl_verb ctl_verb_adopt;
extern const struct ctl_verb ctl_verb_corefile;
extern const struct ctl_verb ctl_verb_render;
extern const struct ctl_verb ctl_verb_queries;
extern const struct ctl_verb ctl_verb_check;
extern const struct ctl_verb ctl_verb_steer;
extern const struct ctl_verb ctl_verb_apply;
extern const struct ctl_verb ctl_verb_install;
extern const struct ctl_verb ctl_verb_uninstall;
extern const struct ctl_verb ctl_verb_doctor;
extern const struct ctl_verb ctl_verb_explain;
extern const struct ctl_verb ctl_verb_health;
extern const struct ctl_verb ctl_verb_list;
extern const struct ctl_verb ctl_verb_metrics;
extern const struct ctl_verb ctl_verb_status;

/* `adopt --all`, for `install --adopt`. What fails is a note. */
void adopt_after_install(struct ctl *ctl);

#endif
