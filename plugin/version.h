/* SPDX-License-Identifier: Apache-2.0 */
/* version.h: the version of both programs. */
#ifndef POD_DNS_VERSION_H
#define POD_DNS_VERSION_H

#define POD_DNS_VERSION "0.9.0"

#endif
