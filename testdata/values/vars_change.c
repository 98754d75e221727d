/* vars_change.c - variables that change in every way there is: in memory, in registers, behind a
 * pointer, by a call, by going from one place to another, by getting another bound.
 * end: main returned; exited with status 0
 * functions: main step fill blend
 */
#include <string.h>

struct pair {
	short a;
	int b : 5, c : 11;
};

static int counter;
static struct pair pairs[3];
static _Thread_local long own = 3;
static long text[600]; /* more than a page */
double ratio = 0.5;

__attribute__((noinline)) static int step(int n, struct pair *p)
{
	int twice = n * 2;
	counter += twice;
	own ^= n;
	p->c = n;
	ratio /= 2;
	return twice + p->a;
}

static inline int blend(int x, int y)
{
	int z = x ^ y;
	z += x << 2;
	return z;
}

__attribute__((noinline)) static int fill(int n)
{
	int row[n], sum = 0;
	for (int i = 0; i < n; i++)
		row[i] = blend(i, n);
	for (int i = 0; i < n; i++) {
		int part = row[i] / 3;
		sum += part;
	}
	return sum;
}

int main(int argc, char **argv)
{
	int total = argc;
	for (int i = 0; i < 3; i++) {
		struct pair *p = &pairs[i];
		p->a = (short)i;
		total += step(i, p);
		total += fill(i + 1);
		memset(text + 200 * i, 'a' + i, 10);
	}
	{
		int total = counter;
		counter = total + argv[0][0];
	}
	return total == 12345;
}
