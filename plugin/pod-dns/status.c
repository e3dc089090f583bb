/* SPDX-License-Identifier: Apache-2.0 */
/*
 * status.c: STATUS: whether ADD can work; also sweeps, once a minute. containerd 2.x calls it every
 * 5 seconds.
 */
#include "config/conf.h"
#include "config/conf_file.h"
#include "config/node_resolv.h"
#include "steer/steer.h"
#include "attachment/sweep.h"
#include "pod-dns/verbs.h"
#include "text.h"

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

/* If nodeCache.required is set, a kernel that cannot steer makes every ADD fail. */
static bool check_steering(const struct conf *c, struct warnings *w, struct err *e)
{
	struct steering s;

	if (!c->node_cache.required || !steering_plan(&s, c, NULL, NULL, w) ||
	    steer_is_possible(&s, e))
		return true;
	e->code = ERR_STATUS;
	return false;
}

/*** configurations with which every ADD fails ***/

/* Fails as ADD does for a pod of this rule (NULL: of none) that requests nothing. */
static bool try_rule(const struct conf *c, const struct rule *rule, struct node_resolv *node_resolv,
		     struct err *e)
{
	int policy = rule && rule->policy != POLICY_UNSET ? rule->policy : c->policy;

	if (conf_mode(c, rule) != MODE_ENFORCE)
		return true;
	if (conf_lacks_server(c, rule))
		return err_set(e, ERR_CONFIG,
			       "dnsPolicy: None needs at least one nameserver in a dnsConfig");
	if (policy != DEFAULT && (policy == NONE || policy == KEEP || c->cluster_dns.n))
		return true;
	return node_resolv_lists(node_resolv, c, e) || err_in(e, "resolvConf: ");
}

static bool some_rule_serves(const struct conf *c, struct node_resolv *node_resolv)
{
	for (size_t i = 0; i < c->rules.n; i++)
		if (!c->rules.at[i].host_network && try_rule(c, &c->rules.at[i], node_resolv, NULL))
			return true;
	return false;
}

/* Fails if ADD fails for pods of any name. If there is a configFile, ADD does not change these
 * pods. */
static bool check_policies(const struct conf *c, struct err *e)
{
	struct node_resolv node_resolv = { 0 };
	bool good = c->config_file || try_rule(c, NULL, &node_resolv, e);

	if (!good && some_rule_serves(c, &node_resolv)) {
		err_clear(e);
		good = true;
	}
	node_resolv_done(&node_resolv);
	if (!good)
		e->code = ERR_STATUS;
	return good;
}

/* Fails if ADD fails with this configuration. */
static bool check_conf(const struct network_conf *n, struct warnings *w, struct err *e)
{
	return n->unusable || !conf_enforces(&n->conf) ||
	       (check_steering(&n->conf, w, e) && check_policies(&n->conf, e));
}

/*** warnings that were printed before ***/

/*
 * STATUS comes every five seconds. Warnings about the configuration that it printed the last time
 * are dropped: a link in /run/pod-dns holds their hash. If anything fails here they are printed.
 */
static void forget_told(struct warnings *w, const struct rundir *run, const char *network)
{
	char link[NAME_MAX + 1], hash[24] = "", before[24] = "";
	uint64_t sum = text_hash("", 0);

	for (size_t i = 0; i < w->n; i++)
		sum = text_hash_more(sum, w->at[i].text, strlen(w->at[i].text) + 1);
	if (w->n)
		(void)snprintf(hash, sizeof(hash), "%016" PRIx64, sum);
	if ((size_t)snprintf(link, sizeof(link), RUNDIR_TOLD "%s", network) >= sizeof(link))
		return;
	if (readlinkat(run->fd, link, before, sizeof(before) - 1) < 0)
		*before = '\0';
	if (strcmp(hash, before) == 0) {
		w->n = w->lost = 0;
		return;
	}
	(void)unlinkat(run->fd, link, 0);
	if (w->n)
		(void)!symlinkat(hash, run->fd, link);
}

static bool status(const struct call *call, FILE *out UNUSED, struct warnings *w, struct err *e)
{
	struct network_conf network;
	auto_rundir run = RUNDIR_NONE;
	bool usable = conf_file_read(&network, call->network, w, e) && check_conf(&network, w, e);

	conf_file_done(&network);
	if (!usable)
		return false;
	if (rundir_open(&run, true, e)) {
		forget_told(w, &run, call->name);
		steer_restore(&run, w);
		if (sweep_is_due(&run) ? sweep(&run, w, e) : sweep_is_possible(&run, e))
			return true;
	}
	e->code = ERR_STATUS; /* no ADD can work */
	return false;
}

const struct verb verb_status = {
	.command = "STATUS",
	.needs = NEEDS_PATH,
	.since = "1.1.0",
	.run = status,
};
