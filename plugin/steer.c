/* steer.c: a pod's DNS traffic on its way to the node's cache. */
#include "steer.h"
#include "steer_node.h"
#include "steer_pod.h"
#include "table.h"

#include <stdio.h>
#include <string.h>

/*** the pod's addresses ***/

static bool is_in_sandbox(const json_t *prev, const json_t *ip)
{
	const json_t *index = json_object_get(ip, "interface");
	const json_t *interface;
	const char *sandbox;

	if (!json_is_integer(index) || json_integer_value(index) < 0)
		return true;
	interface = json_array_get(json_object_get(prev, "interfaces"),
				   (size_t)json_integer_value(index));
	sandbox = json_string_value(json_object_get(interface, "sandbox"));
	return !interface || (sandbox && *sandbox);
}

static void add_address(json_t *list, const json_t *cidr)
{
	const char *text = json_string_value(cidr);
	char canonical[ADDR_TEXT], bare[ADDR_TEXT];
	struct addr a;

	if (!text)
		return;
	(void)snprintf(bare, sizeof(bare), "%.*s", (int)strcspn(text, "/"), text);
	if (!addr_parse(&a, bare))
		return;
	addr_print(canonical, &a);
	(void)json_array_append_new(list, json_string(canonical));
}

json_t *steer_addresses(const json_t *prev)
{
	json_t *list = json_array(), *ip;
	size_t i;

	json_array_foreach (json_object_get(prev, "ips"), i, ip)
		if (is_in_sandbox(prev, ip))
			add_address(list, json_object_get(ip, "address"));
	add_address(list, json_object_get(json_object_get(prev, "ip4"), "ip"));
	add_address(list, json_object_get(json_object_get(prev, "ip6"), "ip"));
	return list;
}

void steer_disown(const struct rundir *r, const char *record, const json_t *addresses,
		  struct warnings *w)
{
	steer_node_delete(r, record, addresses, true, w);
}

bool steer_install(struct rundir *r, const struct place *p, const char *record, struct steering *s,
		   const json_t *addresses, struct warnings *w, struct err *e)
{
	bool done;

	if (!rundir_lock(r, e))
		return false;
	if (s->mode == STEER_NODE) {
		done = steer_node_install(r, record, s, addresses, w, e);
	} else {
		done = steer_pod_install(r, p, record, s, e);
		steer_node_delete(r, record, addresses, true, w);
	}
	rundir_unlock(r);
	return done || err_in(e, "steer: ");
}

/*** the end ***/

bool steer_release(const struct rundir *r, const char *record, const json_t *content,
		   struct warnings *w)
{
	const json_t *steering = json_object_get(content, "steering");
	struct steering s;
	struct err e = { 0 };

	if (!steering_parse(&s, steering))
		return true;
	if (s.mode == STEER_NODE) {
		steer_node_delete(r, record, json_object_get(steering, "addresses"), false, w);
		return true;
	}
	if (steer_pod_release(r, record, content, &e))
		return true;
	warn(w, "steer", "%s", e.text);
	return false;
}

/*** CHECK ***/

bool steer_check(const struct rundir *r, const struct place *p, const char *record,
		 const json_t *content, struct warnings *w, struct err *e)
{
	const json_t *steering = json_object_get(content, "steering");
	struct steering s;

	if (!steering_parse(&s, steering) || !json_is_true(json_object_get(steering, "installed")))
		return true;
	return (s.mode == STEER_NODE
			? steer_node_check(r, record, json_object_get(steering, "addresses"), &s, w,
					   e)
			: steer_pod_check(r, p, record, &s, w, e)) ||
	       err_in(e, "steer: ");
}

void steer_collect(const struct rundir *r, const char *network, struct warnings *w)
{
	steer_node_collect(r, network, w);
}

bool steer_is_possible(const struct steering *plan, struct err *e)
{
	struct steering s = *plan;
	auto_nl nl = NL_CLOSED;

	if (!nl_open_in(&nl, -1, e))
		return false;
	for (int v6 = 0; v6 < 2; v6++) {
		struct table t = { .nl = &nl, .s = &s, .v6 = v6 };

		if (rules_has(&s, v6) && !table_try(&t, e))
			return err_in(e, "steer: ");
	}
	return true;
}
