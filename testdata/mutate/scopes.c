/* scopes.c - jumps, scopes and arrays of variable length, one in the other. For cli/mutate_test.py. */
#include <stdio.h>
#include <stdlib.h>

static int calls;

static int tick(int n)
{
	calls += n;
	return calls;
}

/* Cases in loops in cases: what is jumped over stays jumped over. */
static int nested_switch(int a, int b)
{
	int r = 0;
	switch (a) {
	case 0 ... 2:
		switch (b) {
		default:
			r += 1;
			for (int i = 0; i < 3; i++) {
				if (i == b)
					continue;
				switch (i) {
				case 0:
					if (a)
						break;
					r += 10;
				case 1:
					r += 100;
					continue;
				default:
					goto out;
				}
				r += 1000;
			}
			break;
		case 1:
			while (b--)
			case 2:
				r += 7;
			break;
		case 3: {
			int x;
		case 4:
			x = a + 4;
			r += x;
			if (x > 5)
				break;
			r++;
		}
		}
		r += 5;
		break;
	case 3:;
		int late;
		late = b * 2;
		r = late;
		break;
	default:
		if (b)
		case 7:
			r = -b;
		else
		case 8:
			r = 99;
	}
	return r;
out:
	return r * 2;
}

static int duff(const char *from, int count)
{
	char to[32], *at = to;
	int n = (count + 3) / 4, sum = 0;
	switch (count % 4) {
	case 0:
		do {
			*at++ = *from++;
		case 3:
			*at++ = *from++;
		case 2:
			*at++ = *from++;
		case 1:
			*at++ = *from++;
		} while (--n > 0);
	}
	while (at-- > to)
		sum = sum * 3 + *at;
	return sum;
}

/* Arrays that come and go with their block, and jumps out of it and back to before it. */
static int vla(int n)
{
	int total = 0, rounds = 0;
again:
	for (int i = 1; i <= n; i++) {
		int row[i], (*pointer)[i] = &row;
		for (int j = 0; j < i; j++)
			row[j] = tick(1) % 5 + (j ? row[j - 1] : 0);
		total += (*pointer)[i - 1] + (int)(sizeof *pointer / sizeof row[0]);
		if (total > 40 && rounds < 2) {
			rounds++;
			total -= 30;
			goto again;
		}
		if (i == 3)
			continue;
		typedef int line[n + i];
		line a, b[2];
		a[0] = (int)sizeof(line) + (int)sizeof b;
		if (a[0] > 300)
			break;
		total += a[0];
	}
	return total;
}

static int takes(int n, int m[n][n + 1], int k)
{
	int sum = (int)sizeof m[0];
	for (int i = 0; i < n; i++)
		for (int j = 0; j <= n; j++)
			sum += m[i][j] * k--;
	return sum;
}

static int computed(const int *codes)
{
	static void *const table[] = {&&add, &&twice, &&skip, &&stop};
	int value = 1;
next:
	goto *table[*codes++];
add:
	value += 3;
	goto next;
twice:
	value *= 2;
	goto next;
skip : {
	int inner = *codes++;
	value -= inner;
	goto next;
}
stop:
	return value;
}

static int hides(int x)
{
	int r = x;
	{
		int x = r + 1;
		for (int x = 0; x < 2; x++) {
			int r = x;
			r++;
			tick(r);
		}
		{
			struct x {
				int x;
			} y = {x}, *x = &y;
			r += x->x;
		}
		r += x;
	}
	for (struct { int i, n; } s = {0, 3}; s.i < s.n; s.i++)
		r += s.i;
	for (register int i = 0, *p = &r; i < 2; ++i, ++*p)
		;
	if ((x = r) > 3) {
		enum { x = 5 };
		r += x;
	} else
		r -= x;
	return r;
}

static int dangling(int a, int b, int c)
{
	if (a)
		if (b)
			return c ? 1 : 2;
		else if (c)
			return 3;
		else
			;
	else
		while (b-- > 0)
			if (b == c)
				return 4;
			else
				do
					if (!--b)
						break;
					else
						c++;
				while (c < 3);
	return 5 + b + c;
}

int main(void)
{
	for (int a = 0; a < 10; a++)
		for (int b = 0; b < 6; b++)
			printf("%d ", nested_switch(a, b));
	for (int i = 1; i < 9; i++)
		printf("%d ", duff("the quick brown fox", i));
	puts("");
	int m[2][3] = {{1, 2, 3}, {[1] = 4, 5}};
	printf("%d %d\n", vla(6), takes(2, m, 9));
	printf("%d\n", computed((const int[]){0, 1, 2, 4, 0, 1, 3}));
	printf("%d %d\n", hides(2), hides(-9));
	for (int i = 0; i < 12; i++)
		printf("%d ", dangling(i & 1, i >> 1 & 3, i % 3));
	printf("%d\n", calls);
	return calls & 63;
}
