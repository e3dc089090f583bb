/* SPDX-License-Identifier: Apache-2.0 */
/* rules_answer.c: a pair's chains for UDP answers and for ICMP errors. */
#include "steer/rules_private.h"

#include <linux/netfilter.h>

static void note_alive(struct rules_making *m, const char *chain)
{
	own_rule (m, chain, "the cache is alive, and owes nothing for now") {
		rules_load_switch(m, RULES_ANSWER);
		rules_update(m, "alive", 0);
		rules_update(m, "asked", m->s->alive / 2);
	}
}

static void take_back(struct rules_making *m, const char *chain, const char *set,
		      const char *phrase)
{
	own_rule (m, chain, phrase) {
		rules_load_switch(m, RULES_ANSWER);
		rules_take_back(m, set);
	}
}

/* Answers to live queries. Where copies probe, only their answers end `down`. */
static void answer_udp(struct rules_making *m)
{
	if (m->features.dup)
		own_rule (m, "answer", "to a probe") {
			rules_match_port(m, DESTINATION_PORT, rules_probe_port);
			rules_go(m, "probed");
		}
	own_rule (m, "answer", "SERVFAIL is no sign of life") {
		rules_match_servfail(m);
		rules_go(m, m->s->servfail_falls_back ? "servfail" : "restore");
	}
	note_alive(m, "answer");
	if (!m->features.dup)
		take_back(m, "answer", "down", "it is back");
	own_rule (m, "answer", "as if from the cluster's DNS") {
		rules_go(m, "restore");
	}
}

static void servfail(struct rules_making *m)
{
	own_rule (m, "servfail", "the same question goes to the cluster's DNS for a moment") {
		rules_note_special(m, RULES_ANSWER);
		rules_load_question(m, RULES_ANSWER);
		nft_dynset_update(m->b, NFT_REG_1, "failed", 0);
	}
	own_rule (m, "servfail", "as if from the cluster's DNS") {
		rules_go(m, "restore");
	}
}

/* A copy that a pod sends takes the pod's path, and shows it open. One that the node sends does
 * not. */
static void probed(struct rules_making *m)
{
	own_rule (m, "probed", "SERVFAIL is no sign of life") {
		rules_match_servfail(m);
		nft_verdict(m->b, NF_DROP);
	}
	if (m->node) {
		own_rule (m, "probed", "it answers this pod") {
			rules_load_switch(m, RULES_ANSWER);
			rules_update(m, "known", 0);
		}
		take_back(m, "probed", "copied", "copies get there");
		take_back(m, "probed", "asked", "it owes nothing");
	} else {
		note_alive(m, "probed");
	}
	take_back(m, "probed", "down", "it is back");
	own_rule (m, "probed", "the answer to a probe is nobody's") {
		nft_counter(m->b);
		nft_verdict(m->b, NF_DROP);
	}
}

static void restore(struct rules_making *m)
{
	rules_leave_direct(m, rules_own(m, "restore"), RULES_ANSWER);
	own_rule (m, "restore", "as if from the cluster's DNS") {
		rules_from_cluster(m);
	}
}

/*** errors ***/

static void probes_error(struct rules_making *m)
{
	own_rule (m, "error", "what a probe's error says is nobody's") {
		rules_match_port(m, m->family->quoted_source_port, rules_probe_port);
		nft_counter(m->b);
		nft_verdict(m->b, NF_DROP);
	}
}

/*
 * Without IP_RECVERR the kernel reports only a closed port to a socket. After any other
 * "unreachable" its owner would wait in vain: so all become "port unreachable". Type and code are
 * written together because the checksum counts in 16 bits; nft prints them as `th sport`.
 */
static void tell_at_once(struct rules_making *m)
{
	own_rule (m, "error",
		  "whatever cannot be reached, the application is told of a closed port") {
		rules_match_not_too_big(m);
		nft_immediate(m->b, NFT_REG_1, m->family->port_unreachable, 2);
		nft_payload_write(m->b, NFT_REG_1, 2, NFT_PAYLOAD_TRANSPORT_HEADER, ICMP_TYPE,
				  (struct nft_csum){ NFT_PAYLOAD_CSUM_INET, 2, 0 });
	}
}

void rules_pass_error(struct rules_making *m, const char *chain)
{
	own_rule (m, chain, "as if the cluster's DNS could not be reached") {
		nft_immediate(m->b, NFT_REG_1, rules_bytes(m, &m->pair->cluster), m->family->len);
		nft_payload_write(m->b, NFT_REG_1, m->family->len, NFT_PAYLOAD_TRANSPORT_HEADER,
				  m->family->quoted_destination, m->family->requoted);
	}
}

static void error_udp(struct rules_making *m)
{
	if (m->s->fail_open)
		probes_error(m);
	rules_leave_direct(m, rules_own(m, "error"), RULES_ERROR);
	if (m->s->fail_open) {
		tell_at_once(m);
		own_rule (m, "error", "the cache cannot be reached: it is out") {
			rules_match_not_too_big(m);
			rules_note_special(m, RULES_ERROR);
			rules_load_switch(m, RULES_ERROR);
			rules_update(m, "down", 0);
			nft_counter(m->b);
		}
	}
	rules_pass_error(m, "error");
}

void rules_answer(struct rules_making *m)
{
	restore(m);
	error_udp(m);
	if (!m->s->fail_open)
		return;
	answer_udp(m);
	if (m->s->servfail_falls_back)
		servfail(m);
	if (m->features.dup)
		probed(m);
}
