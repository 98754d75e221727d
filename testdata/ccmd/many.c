/* What plain.c has not: aliases, weak and hidden names, a resolver, constructors, thread-local data of
 * all models, tables of pointers into other data, of labels and of strings, long strings, constants for
 * vectors, room for the linker, functions that are split or of no size.
 * expect: same */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

int exported = 3, untouched[4] = {1, 2, 3, 4};
const int fixed[3] = {7, 8, 9};
__attribute__((visibility("hidden"))) int hidden = 5;
__attribute__((weak)) int weak_number = 1;
static int private[8] = {8, 7, 6, 5, 4, 3, 2, 1};
static int empty[16];
static short *const ends[] = {(short *)&private[1], (short *)&private[8], (short *)(empty + 3)};
__thread int local_exec;
static __thread long counters[2] = {1, 2};
extern __thread int elsewhere;
extern int absent(int) __attribute__((weak));
int tentative;
static const struct {
	const char *name;
	int (*call)(const char *, const char *);
	const void *data;
} entries[] = {{"compare", strcmp, &private[2]}, {"collate", strcoll, fixed + 1}, {"", 0, "data"}};

__attribute__((weak)) int overridden(int x)
{
	return x * weak_number;
}

static int twice(int x)
{
	return 2 * x + counters[x & 1]++;
}

static int (*resolve(void))(int)
{
	return twice;
}
__attribute__((ifunc("resolve"))) int resolved(int);
int other_name(int) __attribute__((alias("overridden")));
extern int other_number __attribute__((alias("exported")));

__attribute__((constructor)) static void begin(void)
{
	exported++;
}

__attribute__((constructor(101))) static void begin_first(void)
{
	hidden++;
}

__attribute__((destructor)) static void end(void)
{
	tentative = 0;
}

const char *word(unsigned which)
{
	switch (which) {
	case 0:
		return "a";
	case 1:
		return "bb";
	case 2:
		return "ccc";
	case 3:
		return "a string that is longer than sixty-four characters, which goes elsewhere, by gcc";
	case 4:
		return "eeeee";
	case 5:
		return "ffffff" + 2;
	default:
		return 0;
	}
}

int go(const unsigned char *program)
{
	static const void *const labels[] = {&&stop, &&add, &&times, &&less};
	int sum = 1;
	goto *labels[*program & 3];
add:
	sum += private[*program & 7];
	goto *labels[*++program & 3];
times:
	sum *= empty[*program & 15] - 3;
	goto *labels[*++program & 3];
less:
	sum -= entries[*program % 3].call ? 11 : 12;
	goto *labels[*++program & 3];
stop:
	return sum;
}

double mean(const double *all, size_t count)
{
	double sum = 0.25, low[2] = {1.5, 2.5};
	for (size_t i = 0; i < count; i++)
		sum += all[i] * 3.75 + low[i & 1];
	return sum / 1e10;
}

int shift(int at)
{
	for (int *p = private + 1; p < private + 8; p++)
		p[-1] = *p;
	return private[at - 1] + (ends[at & 1] - ends[0]) + wcslen(L"wide") + sizeof ends;
}

int all(int argc, char **argv)
{
	if (absent)
		argc += absent(argc);
	if (argc > 100000)
		abort();
	local_exec += elsewhere;
	return overridden(argc) + resolved(argc) + other_name(argc) + twice(argc) + hidden + tentative +
	       !strcmp(argv[0], entries[argc % 3].name) + fixed[argc & 1] + local_exec;
}

__asm__(".text\n.globl sizeless\nsizeless:\n\tnop\n\tret\n");
