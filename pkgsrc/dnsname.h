/* SPDX-License-Identifier: Apache-2.0 */
/* dnsname.h: which domain names Kubernetes accepts. */
#ifndef PKG_NAME_H
#define PKG_NAME_H

#include "base.h"

/* RFC 1035 2.3.4: the length of a name without the final dot, and of a label. */
enum { NAME_MAX_LEN = 253, LABEL_MAX_LEN = 63 };

/*
 * Whether dnsConfig.searches may hold s: "." alone, or a lower-case RFC 1123 subdomain of up to 253
 * characters with two differences: labels may begin with one "_" and contain more, and one final
 * dot is allowed. Labels are not limited to 63. Kubernetes' validatePodDNSConfig with
 * RelaxedDNSSearchValidation (GA v1.34).
 */
bool dnsname_is_search(const char *s);

/* Whether s can be a cluster's or a zone's domain: dnsname_is_search() in either case, not ".". */
bool dnsname_is_domain(const char *s);

/* Whether s is a lower-case subdomain of RFC 1123, without a final dot. */
bool dnsname_is_subdomain(const char *s);

/* Whether a name is the domain or lies in it. Both in the same case, without a final dot. */
bool dnsname_is_within(const char *name, const char *domain);

/* Whether s is a service name of RFC 6335: up to 15 letters, digits and single hyphens within, and
 * at least one letter. */
bool dnsname_is_service(const char *s);

#endif
