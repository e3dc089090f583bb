/* SPDX-License-Identifier: Apache-2.0 */
/* hint.c: what a misspelt word was probably meant to be. */
#include "hint.h"

#include <string.h>
#include <strings.h>

enum { LONGEST = 40, FARTHEST = 2 };

static unsigned least(unsigned a, unsigned b)
{
	return a < b ? a : b;
}

/* Optimal string alignment: Levenshtein's distance, where swapping neighbours is one step. */
static unsigned distance(const char *a, size_t n, const char *b, size_t m)
{
	unsigned d[LONGEST + 1][LONGEST + 1];

	for (size_t i = 0; i <= n; i++)
		d[i][0] = (unsigned)i;
	for (size_t j = 0; j <= m; j++)
		d[0][j] = (unsigned)j;
	for (size_t i = 1; i <= n; i++)
		for (size_t j = 1; j <= m; j++) {
			unsigned step = d[i - 1][j - 1] + (a[i - 1] != b[j - 1]);

			step = least(step, least(d[i - 1][j], d[i][j - 1]) + 1);
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
				step = least(step, d[i - 2][j - 2] + 1);
			d[i][j] = step;
		}
	return d[n][m];
}

void hint_try(struct hint *h, const char *candidate)
{
	size_t n = strlen(h->word), m = strlen(candidate);
	unsigned far;

	if (n > LONGEST || m > LONGEST || n > m + FARTHEST || m > n + FARTHEST)
		return;
	far = strcasecmp(h->word, candidate) == 0 ? 0 : distance(h->word, n, candidate, m);
	if (far > FARTHEST || (size_t)2 * far >= m || (h->best && far >= h->distance))
		return;
	h->best = candidate;
	h->distance = far;
}
