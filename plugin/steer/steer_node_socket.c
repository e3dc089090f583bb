/* SPDX-License-Identifier: Apache-2.0 */
/* steer_node_socket.c: the one socket for the tables of the node. */
#include "steer/steer.h"
#include "steer/steer_node_private.h"

#include <linux/membarrier.h>
#include <sys/syscall.h>

static struct nl kept = NL_CLOSED;

const struct nl *steer_node_nl(struct err *e)
{
	return kept.socket || nl_open_in(&kept, -1, e) ? &kept : NULL;
}

/* Linux before 4.3, or one with cores that no tick interrupts, does not wait here. */
static bool wait_for_grace_period(void)
{
	return syscall(SYS_membarrier, MEMBARRIER_CMD_GLOBAL, 0, 0) == 0;
}

/*
 * Whoever closes a netfilter socket waits until the kernel has freed what anybody deleted before,
 * an RCU grace period, and locks the namespace's tables meanwhile. So this waits for one first,
 * which locks nothing and which all that wait share: and for more, up to a bound, while others are
 * at work, who would wait for the tables, and have deleted something since.
 */
void steer_end(void)
{
	enum { WAITS = 16 };

	if (!kept.socket)
		return;
	for (int i = 0; steer_node_has_deleted() && i < WAITS; i++)
		if (!wait_for_grace_period() || !rundir_is_locked())
			break;
	nl_close(&kept);
}
