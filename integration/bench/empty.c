/* SPDX-License-Identifier: Apache-2.0 */
/* What a program costs that does nothing and is linked with both shared libraries. */
#include <jansson.h>
#include <libmnl/libmnl.h>

int main(void)
{
	return json_is_true(json_true()) && mnl_nlmsg_size(0) ? 0 : 1;
}
