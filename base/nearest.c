#include "base/nearest.h"

#include <string.h>

enum { LONGEST = 64 }; /* words past this are nobody's typing mistake */

static size_t least(size_t a, size_t b, size_t c)
{
	size_t ab = a < b ? a : b;
	return ab < c ? ab : c;
}

/* Insertions, deletions, replacements and swaps of neighbours that make b of a. */
static size_t distance(const char *a, const char *b)
{
	size_t rows[3][LONGEST + 1], la = strlen(a), lb = strlen(b);
	if (la > LONGEST || lb > LONGEST)
		return LONGEST;
	for (size_t j = 0; j <= lb; j++)
		rows[0][j] = j;
	for (size_t i = 1; i <= la; i++) {
		size_t *now = rows[i % 3], *up = rows[(i - 1) % 3], *up2 = rows[(i + 1) % 3];
		now[0] = i;
		for (size_t j = 1; j <= lb; j++) {
			now[j] = least(
				up[j] + 1, now[j - 1] + 1, up[j - 1] + (a[i - 1] != b[j - 1]));
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] &&
				up2[j - 2] + 1 < now[j])
				now[j] = up2[j - 2] + 1;
		}
	}
	return rows[la % 3][lb];
}

struct xs_nearest xs_nearest_to(const char *word)
{
	return (struct xs_nearest){.word = word, .distance = strlen(word) / 3 + 2};
}

void xs_nearest_try(struct xs_nearest *nearest, const char *candidate)
{
	size_t far = distance(nearest->word, candidate);
	if (far < nearest->distance) {
		nearest->distance = far;
		nearest->best = candidate;
	}
}
