/* SPDX-License-Identifier: Apache-2.0 */
/* dnsname.c: which domain names Kubernetes accepts. */
#include "dnsname.h"

#include <string.h>

static bool is_alnum(char c, bool upper)
{
	return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || (upper && c >= 'A' && c <= 'Z');
}

/* _?[a-z0-9]([-_a-z0-9]*[a-z0-9])? */
static bool is_label(const char *s, size_t len, bool upper)
{
	if (len && *s == '_') {
		s++;
		len--;
	}
	if (!len || !is_alnum(s[0], upper) || !is_alnum(s[len - 1], upper))
		return false;
	for (size_t i = 0; i < len; i++)
		if (!is_alnum(s[i], upper) && s[i] != '-' && s[i] != '_')
			return false;
	return true;
}

static bool is_name(const char *s, bool upper)
{
	size_t len = strlen(s);

	if (len && s[len - 1] == '.')
		len--;
	if (!len || len > NAME_MAX_LEN)
		return false;
	for (size_t start = 0, i = 0; i <= len; i++) {
		if (i < len && s[i] != '.')
			continue;
		if (!is_label(s + start, i - start, upper))
			return false;
		start = i + 1;
	}
	return true;
}

bool dnsname_is_search(const char *s)
{
	return strcmp(s, ".") == 0 || is_name(s, false);
}

bool dnsname_is_domain(const char *s)
{
	return is_name(s, true);
}
bool dnsname_is_subdomain(const char *s)
{
	size_t label = 0;

	if (strlen(s) > NAME_MAX_LEN)
		return false;
	for (; *s; s++) {
		bool last = !s[1] || s[1] == '.';

		if (*s == '.' ? !label : !is_alnum(*s, false) && (*s != '-' || !label || last))
			return false;
		label = *s == '.' ? 0 : label + 1;
		if (label > LABEL_MAX_LEN)
			return false;
	}
	return label;
}

bool dnsname_is_service(const char *s)
{
	size_t len = strlen(s);
	bool letter = false;

	if (len > 15 || !len || s[0] == '-' || s[len - 1] == '-' || strstr(s, "--"))
		return false;
	for (size_t i = 0; i < len; i++) {
		if (!is_alnum(s[i], true) && s[i] != '-')
			return false;
		letter = letter || (s[i] != '-' && (s[i] < '0' || s[i] > '9'));
	}
	return letter;
}

bool dnsname_is_within(const char *name, const char *domain)
{
	size_t len = strlen(name), part = strlen(domain);

	return len >= part && strcmp(name + len - part, domain) == 0 &&
	       (len == part || name[len - part - 1] == '.');
}
