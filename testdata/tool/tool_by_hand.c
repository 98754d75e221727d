/* tool_by_hand.c - names that are not easily asked for: for by_hand_test.py.
 *
 * It echoes what it reads and its arguments. tool_by_hand_with.c has a static of the same name. */
#include <complex.h>
#include <stdio.h>

struct parts {
	int first;
	struct {
		int inner;
	};
	unsigned three : 3;
	int five : 5;
	float list[3];
};
typedef double real_t;
struct pair {
	double real, imag;
};

static int twice = 11;
struct pair both = {2.5, 3};
int other(void);

int work(int value, char **words)
{
	static int calls;
	struct parts parts = {value, {value * 2}, 5, -7, {1.5f, 0.1f, value}};
	double _Complex z = 1.25 + 0.1 * I;
	real_t third = 1 / 3.0, whole = 3;
	long double tenth = 0.1L;
	char letter = 'a' + value;
	int *pointer = &parts.first;
	unsigned long long most = -1;
	calls++;
	{
		int value = calls * 100;
		printf("%d %s\n", value, words[1] ? words[1] : "");
	}
	return parts.inner + (int)creal(z) + (int)third + (int)whole + (int)tenth + letter + *pointer +
	       (int)most + parts.five + (int)parts.list[1] + twice + (int)both.real + other();
}

int main(int argc, char **argv)
{
	int read = getchar(), sum = read;
	for (int i = 0; i < 3; i++)
		sum += work(i, argv);
	return sum == argc;
}
