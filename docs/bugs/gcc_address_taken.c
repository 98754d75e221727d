/* gcc shows a parameter that is changed through its address as it came in.
 *
 * wrong:     gcc
 * rule:      P1 lie producer:wrong-entry-value [entry-value]
 * basis:     evidence
 * build:     gcc-12 -g -Og -o gcc_address_taken gcc_address_taken.c
 * xstep:     xstep check probes gcc_address_taken
 * $ gdb -nx -q -batch -ex 'break -probe-stap xstep:p1__s' -ex run \
 *       -ex 'print (char *)$_probe_arg0' -ex 'print s' gcc_address_taken
 * > "12"
 * > " -12"
 * actual:    `s` is what number() was called with, though it was moved on twice.
 * expected:  The pointer to the digit '1', by the source and by the operand of the probe.
 * versions:  gcc 11.3, 12.2: so.
 * known:     -
 */
#include <sys/sdt.h>
static int negative(const char **at)
{
	if (**at == '-') {
		(*at)++;
		return 1;
	}
	if (**at == '+')
		(*at)++;
	return 0;
}
volatile int sink;
__attribute__((noinline)) static int number(const char *s, int *result)
{
	int value = 0;
	while (*s == ' ')
		s++;
	int minus = negative(&s);
	for (; *s >= '0' && *s <= '9'; s++) {
		DTRACE_PROBE1(xstep, p1__s, s);
		value = value * 10 + *s - '0';
	}
	*result = minus ? -value : value;
	return *s;
}
int main(void)
{
	int result;
	return number(" -12", &result);
}
