/*
 * ledger_vault.c - thread-locals, twins, rare code, variadic functions, tail calls, many parameters.
 */
#include "ledger.h"

#include <pthread.h>
#include <stdarg.h>

struct hidden {
	int code;
	struct hidden *again;
};

static long total = 33; /* neither ledger_account.c's nor ledger_journal.c's, and not their type */
static struct hidden vault_only = {4711, &vault_only};
#if !IS_TCC
_Thread_local long vault_local = 1L << 40;
static _Thread_local int depth = 23;
static _Thread_local struct money thread_money;
static _Thread_local char thread_name[3] = {'a', 'b'};
#endif

APART struct hidden *vault_secret(void)
{
	return &vault_only;
}

#if !IS_TCC
static void *thread_run(void *start)
{
	long given = *(long *)start;
	vault_local += given;
	depth -= (int)given;
	thread_money.units = given * 5;
	thread_money.cents = (unsigned short)opaque(50);
	thread_name[1] = 'z';
	if (given & 1)
		MARK();
	else
		MARK_ASIDE();
	SHOW(given);
	SHOW_PTR(start);
	SHOW(vault_local);
	SHOW(depth);
	SHOW(thread_money.units);
	SHOW(thread_money.cents);
	SHOW(thread_money.negative);
	SHOW_ARRAY(thread_name, 3);
	SHOW(total);
	return 0;
}
#endif

APART void vault_thread(void)
{
#if !IS_TCC
	long given = opaque(17);
	pthread_t thread;
	thread_run(&given);
	given++;
	if (pthread_create(&thread, 0, thread_run, &given) == 0)
		pthread_join(thread, 0);
	MARK();
	SHOW(given);
	SHOW(vault_local);
	SHOW(depth);
	SHOW(vault_only.code);
	SHOW_PTR(vault_only.again);
#endif
}

/* The same code twice; the caller prints, so that it stays the same. */
APART int vault_twin_a(int first)
{
	int tripled = first * 3;
	mark(0, 0);
	return tripled + (int)opaque(first);
}

APART int vault_twin_b(int second)
{
	int tripled = second * 3;
	mark(0, 0);
	return tripled + (int)opaque(second);
}

static __attribute__((cold, noinline)) int rare_report(int what)
{
	int code = what ^ 0x55;
	MARK();
	SHOW(what);
	SHOW(code);
	return code;
}

APART int vault_rare(int value)
{
	int made = (int)opaque(value) * 2, sum = 0;
	for (int i = 0; i < value; i++) {
		sum += made ^ i;
		if (__builtin_expect(i == 30, 0)) {
			long cold = opaque(sum);
			MARK();
			SHOW(value);
			SHOW(made);
			SHOW(sum);
			SHOW(i);
			SHOW(cold);
			sum += rare_report(made);
		}
	}
	return sum;
}

APART int vault_sum(int count, ...)
{
	int sum = 0;
	double reals = 0;
	va_list rest;
	va_start(rest, count);
	for (int i = 0; i < count; i++) {
		sum += va_arg(rest, int);
		reals += va_arg(rest, double);
	}
	va_end(rest);
	MARK();
	SHOW(count);
	SHOW(sum);
	SHOW(reals);
	return sum;
}

APART static long hop_end(long value, int times)
{
	long ended = value * 2 + times;
	MARK();
	SHOW(value);
	SHOW(times);
	SHOW(ended);
	SHOW(total);
	return ended;
}

APART static long hop_again(int times, long value)
{
	return hop_end(value + 1, times - 1);
}

APART long vault_hop(long value, int times)
{
	return hop_again(times, value ^ 1);
}

APART void vault_many(int a, int b, int c, int d, int e, int f, int g, short h, double i, float j, double k,
					  double l, double m, double n, double o, double p, double q, long double r, struct money s)
{
	struct money t = s;
	t.units += a;
	total++;
	MARK();
	SHOW(a);
	SHOW(b);
	SHOW(c);
	SHOW(d);
	SHOW(e);
	SHOW(f);
	SHOW(g);
	SHOW(h);
	SHOW(i);
	SHOW(j);
	SHOW(k);
	SHOW(l);
	SHOW(m);
	SHOW(n);
	SHOW(o);
	SHOW(p);
	SHOW(q);
	SHOW(r);
	SHOW(s.units);
	SHOW(s.cents);
	SHOW(s.negative);
	SHOW(t.units);
	SHOW(t.cents);
	SHOW(t.negative);
	SHOW(total);
}
