#include "base/nearest.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

enum { LENGTH_MAX = 128 }; /* longer names are compared by their first bytes */

void nearest_init(struct nearest *nearest, const char *wanted)
{
	memset(nearest, 0, sizeof(*nearest));
	nearest->wanted = wanted;
}

static unsigned min3(unsigned a, unsigned b, unsigned c)
{
	unsigned least = a < b ? a : b;
	return least < c ? least : c;
}

/* Distance, or limit + 1 when it is larger than `limit`. */
static unsigned distance(const char *a, size_t n, const char *b, size_t m, unsigned limit)
{
	unsigned rows[3][LENGTH_MAX + 1];
	unsigned *before = rows[0], *above = rows[1], *row = rows[2];
	for (size_t j = 0; j <= m; j++)
		above[j] = (unsigned)j;
	for (size_t i = 1; i <= n; i++) {
		unsigned best = row[0] = (unsigned)i;
		for (size_t j = 1; j <= m; j++) {
			int x = tolower((unsigned char)a[i - 1]),
			    y = tolower((unsigned char)b[j - 1]);
			row[j] = min3(above[j] + 1, row[j - 1] + 1, above[j - 1] + (x != y));
			if (i > 1 && j > 1 && x == tolower((unsigned char)b[j - 2]) &&
				y == tolower((unsigned char)a[i - 2]) && before[j - 2] + 1 < row[j])
				row[j] = before[j - 2] + 1;
			if (row[j] < best)
				best = row[j];
		}
		if (best > limit)
			return limit + 1;
		unsigned *free_row = before;
		before = above;
		above = row;
		row = free_row;
	}
	return above[m];
}

static size_t bounded(const char *name)
{
	return strnlen(name, LENGTH_MAX);
}

static void insert(struct nearest *nearest, const char *name, unsigned d)
{
	size_t at = nearest->count;
	while (at > 0 && (d < nearest->distances[at - 1] ||
				 (d == nearest->distances[at - 1] &&
					 strcmp(name, nearest->names[at - 1]) < 0)))
		at--;
	for (size_t i = 0; i < nearest->count; i++)
		if (strcmp(nearest->names[i], name) == 0)
			return;
	if (at >= NEAREST_MAX)
		return;
	size_t last = nearest->count < NEAREST_MAX ? nearest->count : NEAREST_MAX - 1;
	for (size_t i = last; i > at; i--) {
		nearest->names[i] = nearest->names[i - 1];
		nearest->distances[i] = nearest->distances[i - 1];
	}
	nearest->names[at] = name;
	nearest->distances[at] = d;
	if (nearest->count < NEAREST_MAX)
		nearest->count++;
}

void nearest_prefer(struct nearest *nearest, const char *name)
{
	insert(nearest, name, 0);
}

void nearest_offer(struct nearest *nearest, const char *name)
{
	size_t n = bounded(nearest->wanted), m = bounded(name);
	unsigned limit = (unsigned)(n / 3 + 1);
	if (!n || !m)
		return;
	unsigned d = limit + 1;
	if ((n > m ? n - m : m - n) <= limit)
		d = distance(nearest->wanted, n, name, m, limit);
	if (d > limit) {
		if (n < 3 || !strcasestr(name, nearest->wanted))
			return;
		d = limit + 1 +
		    (unsigned)(m - n); /* behind every near one; the shorter, the better */
	}
	insert(nearest, name, d);
}

char *nearest_text(const struct nearest *nearest, char *text, size_t size)
{
	size_t used = 0;
	text[0] = '\0';
	for (size_t i = 0; i < nearest->count; i++) {
		const char *before = i == 0                    ? "; did you mean "
				     : i + 1 == nearest->count ? " or "
							       : ", ";
		int n = snprintf(text + used, size - used, "%s'%s'%s", before, nearest->names[i],
			i + 1 == nearest->count ? "?" : "");
		if (n < 0 || (size_t)n >= size - used) {
			text[0] = '\0'; /* nothing rather than half a question */
			break;
		}
		used += (size_t)n;
	}
	return text;
}
