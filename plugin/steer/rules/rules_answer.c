/* SPDX-License-Identifier: Apache-2.0 */
/* rules_answer.c: a pair's chains for UDP answers and for ICMP errors. */
#include "steer/rules/rules_private.h"

#include <linux/netfilter.h>

/* If copies probe, only their answers end `down`. */
static void note_alive(struct rules_ctx *m)
{
	own_rule (m, "answer", "not SERVFAIL: the cache is alive, and owes nothing for now") {
		rules_match_no_servfail(m);
		rules_end_under_way(m, RULES_ANSWER);
		rules_load_switch(m, RULES_ANSWER);
		rules_update(m, "alive", 0);
		rules_update(m, "asked", m->s->alive / 2);
		if (!m->features.dup)
			rules_expire_own(m, "down");
	}
}

static void take_probed(struct rules_ctx *m)
{
	own_rule (m, "answer", "to a probe") {
		rules_match_port(m, DESTINATION_PORT, rules_probe_port);
		rules_goto(m, "probed");
	}
}

static void fail_question(struct rules_ctx *m)
{
	own_rule (m, "answer",
		  "SERVFAIL: the same question goes to the cluster's DNS for a moment") {
		rules_match_servfail(m);
		rules_end_under_way(m, RULES_ANSWER);
		rules_note_special(m, RULES_ANSWER);
		rules_load_question(m, RULES_ANSWER);
		nft_dynset_update(m->b, NFT_REG_1, "failed", 0);
	}
}

/*
 * A copy that a pod sends takes the pod's path, and an answer to it says what any other does. One
 * that the node sends does not show that path open.
 */
static void answer_udp(struct rules_ctx *m)
{
	if (m->node && m->features.dup)
		take_probed(m);
	note_alive(m);
	if (!m->node && m->features.dup)
		take_probed(m);
	if (m->s->servfail_falls_back)
		fail_question(m);
}

static void restore(struct rules_ctx *m)
{
	if (m->named) {
		own_rule (m, "answer", "pods name the cache: its answers stay as they are")
			rules_count(m, RULES_ANSWERS);
		return;
	}
	rules_leave_direct(m, rules_own(m, "answer"), RULES_ANSWER);
	own_rule (m, "answer", "as if from the cluster's DNS") {
		rules_match_not_direct(m, RULES_ANSWER);
		rules_count(m, RULES_ANSWERS);
		rules_restore(m);
	}
	if (!m->node)
		own_rule (m, "answer", "who asked a server itself gets what follows in fragments")
			rules_note_direct_fragment(m);
}

/*** answers to probes ***/

static void take_back(struct rules_ctx *m, const char *set, const char *phrase)
{
	own_rule (m, "probed", phrase) {
		rules_load_switch(m, RULES_ANSWER);
		rules_expire_own(m, set);
	}
}

static void probed_on_node(struct rules_ctx *m)
{
	own_rule (m, "probed", "SERVFAIL is no sign of life") {
		rules_match_servfail(m);
		nft_verdict(m->b, NF_DROP);
	}
	own_rule (m, "probed", "it answers this pod, of late") {
		rules_load_switch(m, RULES_ANSWER);
		rules_update(m, "known-lately", 0);
	}
	own_rule (m, "probed", "it answers this pod") {
		rules_load_switch(m, RULES_ANSWER);
		rules_update(m, "known", 0);
	}
	own_rule (m, "probed",
		  "to a pod at rest, and its way may be open: alive while `down` ends") {
		rules_load_switch(m, RULES_ANSWER);
		rules_lookup_inverted(m, "sent");
		rules_lookup_inverted(m, "asked");
		rules_lookup_inverted(m, "alive");
		rules_update(m, "alive", EXPIRE);
	}
	take_back(m, "copied", "copies get there");
	take_back(m, "asked", "it owes nothing");
	take_back(m, "down", "it is back");
}

static void probed_in_pod(struct rules_ctx *m)
{
	own_rule (m, "probed", "not SERVFAIL: it is back") {
		rules_match_no_servfail(m);
		rules_match_under_way(m, RULES_ANSWER);
		rules_load_switch(m, RULES_ANSWER);
		rules_expire_own(m, "down");
	}
}

static void probed(struct rules_ctx *m)
{
	if (m->node)
		probed_on_node(m);
	else
		probed_in_pod(m);
	own_rule (m, "probed", "the answer to a probe is nobody's") {
		nft_verdict(m->b, NF_DROP);
	}
}

/*** errors ***/

static void probes_error(struct rules_ctx *m)
{
	own_rule (m, "error", "what a probe's error says is nobody's") {
		rules_match_port(m, m->family->quoted_source_port, rules_probe_port);
		nft_verdict(m->b, NF_DROP);
	}
}

/*
 * If a socket does not set IP_RECVERR, the kernel reports only a closed port to it. After any other
 * "unreachable" its owner would wait in vain: so all become "port unreachable". Type and code are
 * written together because the checksum counts in 16 bits; nft prints them as `th sport`.
 */
static void tell_at_once(struct rules_ctx *m)
{
	nft_immediate(m->b, NFT_REG_3, m->family->port_unreachable, 2);
	nft_payload_write(m->b, NFT_REG_3, 2, NFT_PAYLOAD_TRANSPORT_HEADER, ICMP_TYPE,
			  (struct nft_csum){ NFT_PAYLOAD_CSUM_INET, 2, 0 });
}

void rules_pass_error(struct rules_ctx *m)
{
	if (m->named)
		return;
	nft_immediate(m->b, NFT_REG_3, rules_bytes(m, &m->pair->cluster), m->family->len);
	nft_payload_write(m->b, NFT_REG_3, m->family->len, NFT_PAYLOAD_TRANSPORT_HEADER,
			  m->family->quoted_destination, m->family->requoted);
}

static void cannot_be_reached(struct rules_ctx *m)
{
	rules_match_not_too_big(m);
	tell_at_once(m);
	rules_note_special(m, RULES_ERROR);
	rules_update(m, "down", 0);
}

static void error_udp(struct rules_ctx *m)
{
	if (m->s->fail_open)
		probes_error(m);
	rules_leave_direct(m, rules_own(m, "error"), RULES_ERROR);
	own_rule (m, "error",
		  m->s->fail_open
			  ? "as if from the cluster's DNS; not just too big: the cache is out"
			  : "as if from the cluster's DNS") {
		rules_match_not_direct(m, RULES_ERROR);
		if (m->s->fail_open)
			rules_match_under_way(m, RULES_ERROR);
		rules_pass_error(m);
		if (m->s->fail_open)
			cannot_be_reached(m);
	}
}

void rules_answer(struct rules_ctx *m)
{
	if (m->node && m->s->fail_open) {
		rules_leave_bridged(m, "answer");
		rules_leave_bridged(m, "error");
	}
	if (m->s->fail_open)
		answer_udp(m);
	restore(m);
	if (m->s->fail_open && m->features.dup)
		probed(m);
	error_udp(m);
}
