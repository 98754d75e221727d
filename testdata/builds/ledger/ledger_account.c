/*
 * ledger_account.c - scalars, structs, bit-fields and qualified types.
 */
#include "ledger.h"

int total_external = 1000;
static int total = 11; /* each unit has one of its own */
static const double account_rate = 0.125;
static volatile int account_seen;
int discarded_variable = 99; /* nobody uses it, nor the function */
struct entry first_entry = {{-7, 65535, 1}, {0x40490fdb}, {-3, {-4, 5}}, {6, {0xdeadbeef}}, DEBIT,
							"first", 0, 0, 0};
static struct flags file_flags = {1, 21, -17, 0xfedcba9876, -4194304, -200, 1, DEBIT, 250};
#if !IS_TCC
static _Thread_local int depth = 21;
#endif

int discarded_function(int unused)
{
	int nothing = unused * 3;
	return nothing + (int)opaque(nothing);
}

static void file_scope_show(void)
{
	SHOW(total);
	SHOW(total_external);
	SHOW(account_rate);
	SHOW(account_seen);
	SHOW_INT(file_flags.a);
	SHOW_INT(file_flags.b);
	SHOW_INT(file_flags.c);
	SHOW_INT(file_flags.d);
	SHOW_INT(file_flags.e);
	SHOW_INT(file_flags.f);
	SHOW_INT(file_flags.g);
	SHOW_INT(file_flags.h);
	SHOW(file_flags.after);
	SHOW(first_entry.amount.units);
	SHOW(first_entry.amount.cents);
	SHOW(first_entry.amount.negative);
	SHOW(first_entry.i);
	SHOW(first_entry.f);
	SHOW_ARRAY(first_entry.bytes, 4);
	SHOW(first_entry.x);
	SHOW(first_entry.y);
	SHOW(first_entry.z);
	SHOW(first_entry.named.inner);
	SHOW(first_entry.named.choice.u);
	SHOW_ARRAY(first_entry.named.choice.s, 2);
	SHOW_INT(first_entry.side);
	SHOW_PTR(first_entry.text);
	SHOW_PTR(first_entry.next);
	SHOW_PTR(first_entry.secret);
	SHOW_PTR(first_entry.rule);
#if !IS_TCC
	SHOW(depth);
#endif
}

APART void account_scalars(signed char small, unsigned short port, long long big, double rate, float share)
{
	char letter = (char)opaque('q');
	signed char negative = (signed char)opaque(-128);
	unsigned char octet = (unsigned char)opaque(200);
	short low = (short)opaque(-32768);
	unsigned short high = (unsigned short)opaque(65535);
	int number = (int)opaque(-2147483647 - 1);
	unsigned natural = (unsigned)opaque(4294967295u);
	long wide = opaque(-9223372036854775807 - 1);
	unsigned long broad = (unsigned long)opaque(-1);
	long long wider = opaque(0x123456789abcdef);
	unsigned long long broader = (unsigned long long)opaque(-2);
	_Bool yes = opaque(1) != 0, no = opaque(0) != 0;
	float third = (float)opaque_real(1.0 / 3);
	double tiny = opaque_real(4.9406564584124654e-324);
	double minus_zero = opaque_real(-0.0);
	double endless = opaque_real(1e308) * opaque_real(10);
	long double precise = (long double)opaque_real(1) / 3;
	enum side side = (enum side)opaque(-1);
	enum mask mask = (enum mask)opaque(0xfffffff0);
	plain_int aliased = (int)opaque(77);
	static long calls = 40;
	calls++;
	total += small;
#if !IS_TCC
	__int128 huge = (__int128)opaque(-5) << 90;
	unsigned __int128 huger = ~(unsigned __int128)opaque(0);
	enum wide widest = (enum wide)opaque(0x7fffffffffff);
	enum wide lowest = (enum wide)opaque(-5);
	double _Complex turn = opaque_real(1.5) - opaque_real(2.5) * 1.0i;
	float _Complex small_turn = (float)opaque_real(0.1) + (float)opaque_real(7) * 1.0if;
	long double _Complex long_turn = (long double)opaque_real(3) / 7 + (long double)opaque_real(-1) * 1.0il;
#endif
#if IS_GCC >= 12 || IS_CLANG >= 15
	_Float16 half = (_Float16)opaque_real(0.333251953125);
#endif
#if IS_GCC || IS_CLANG
	__float128 quad = (__float128)opaque_real(1.0 / 1024);
#endif
#if IS_CLANG >= 15
	_BitInt(37) odd = (_BitInt(37))opaque(-68719476736);
	unsigned _BitInt(7) odder = (unsigned _BitInt(7))opaque(127);
#endif
	account_seen++;
	MARK();
	SHOW(small);
	SHOW(port);
	SHOW(big);
	SHOW(rate);
	SHOW(share);
	SHOW(letter);
	SHOW(negative);
	SHOW(octet);
	SHOW(low);
	SHOW(high);
	SHOW(number);
	SHOW(natural);
	SHOW(wide);
	SHOW(broad);
	SHOW(wider);
	SHOW(broader);
	SHOW(yes);
	SHOW(no);
	SHOW(third);
	SHOW(tiny);
	SHOW(minus_zero);
	SHOW(endless);
	SHOW(precise);
	SHOW_INT(side);
	SHOW_INT(mask);
	SHOW(aliased);
	SHOW(calls);
#if !IS_TCC
	SHOW(huge);
	SHOW(huger);
	SHOW_INT(widest);
	SHOW_INT(lowest);
	SHOW_COMPLEX(turn);
	SHOW_COMPLEX(small_turn);
	SHOW_COMPLEX(long_turn);
#endif
#if IS_GCC >= 12 || IS_CLANG >= 15
	show_half("half", (float)half);
#endif
#if IS_GCC || IS_CLANG
	SHOW_AS("quad", (double)quad);
#endif
#if IS_CLANG >= 15
	SHOW_INT(odd);
	SHOW_INT(odder);
#endif
	file_scope_show();
}

APART void account_structs(struct money by_value, struct entry *by_pointer)
{
	struct flags flags = {0};
	struct tight tight = {0};
	struct money both[2] = {by_value, {opaque(3), 4, 0}};
	struct entry copy = *by_pointer;
	union {
		struct {
			unsigned char low, high;
		};
		short whole;
	} halves;
	money_t named = {opaque(-1), (unsigned short)opaque(8), 1};
	halves.whole = (short)opaque(-2);
	flags.a = (unsigned)opaque(1);
	flags.b = (unsigned)opaque(30);
	flags.c = (int)opaque(-32);
	flags.d = (unsigned long)opaque(0x8000000001);
	flags.e = opaque(4194303);
	flags.f = (short)opaque(-256);
	flags.g = opaque(1) != 0;
	flags.h = (enum side)opaque(1);
	flags.after = (unsigned char)opaque(129);
	tight.tag = (char)opaque('t');
	tight.value = (int)opaque(-67108864);
	tight.cross = (unsigned)opaque(8191);
	tight.far = opaque(-562949953421312);
	tight.where = opaque_real(2.75);
	copy.f = (float)opaque_real(-1.5);
	copy.named.choice.s[1] = (short)opaque(-9);
	copy.side = CREDIT;
	copy.next = by_pointer;
	copy.secret = vault_secret();
	MARK();
	SHOW(by_value.units);
	SHOW(by_value.cents);
	SHOW(by_value.negative);
	SHOW_PTR(by_pointer);
	SHOW(by_pointer->amount.units);
	SHOW(by_pointer->y);
	SHOW_INT(by_pointer->side);
	SHOW_INT(flags.a);
	SHOW_INT(flags.b);
	SHOW_INT(flags.c);
	SHOW_INT(flags.d);
	SHOW_INT(flags.e);
	SHOW_INT(flags.f);
	SHOW_INT(flags.g);
	SHOW_INT(flags.h);
	SHOW(flags.after);
	SHOW(tight.tag);
	SHOW_INT(tight.value);
	SHOW_INT(tight.cross);
	SHOW_INT(tight.far);
	SHOW(tight.where);
	SHOW(both[0].units);
	SHOW(both[0].cents);
	SHOW(both[0].negative);
	SHOW(both[1].units);
	SHOW(both[1].cents);
	SHOW(both[1].negative);
	SHOW(copy.amount.units);
	SHOW(copy.amount.cents);
	SHOW(copy.amount.negative);
	SHOW(copy.i);
	SHOW(copy.f);
	SHOW_ARRAY(copy.bytes, 4);
	SHOW(copy.x);
	SHOW(copy.y);
	SHOW(copy.z);
	SHOW(copy.named.inner);
	SHOW(copy.named.choice.u);
	SHOW_ARRAY(copy.named.choice.s, 2);
	SHOW_INT(copy.side);
	SHOW_PTR(copy.text);
	SHOW_PTR(copy.next);
	SHOW_PTR(copy.secret);
	SHOW_PTR(copy.rule);
	SHOW(copy.next->amount.cents);
	SHOW(halves.low);
	SHOW(halves.high);
	SHOW(halves.whole);
	SHOW(named.units);
	SHOW(named.cents);
	SHOW(named.negative);
}

APART int account_total(int by)
{
	static int total = 500; /* hides the file's */
	total += by;
	{
		int by = (int)opaque(3);
		extern int total_external;
		total_external += by;
		{
			long total = opaque(-1); /* hides the function's */
			MARK();
			SHOW(total);
			SHOW(by);
			SHOW(total_external);
		}
	}
	int total_external = (int)opaque(-44); /* hides the program's */
	MARK();
	SHOW(total);
	SHOW(by);
	SHOW(total_external);
	{
		extern int total_external; /* and now it means the program's again */
		int changed = total_external + 1;
		MARK();
		SHOW(total);
		SHOW(by);
		SHOW(total_external);
		SHOW(changed);
	}
	return total + total_external;
}

APART void account_qualified(int seed)
{
	const int fixed = seed + 1;
	volatile int moving = seed + 2;
	odd_int both = seed + 3;
	int *const constant_pointer = &total;
	const int *restrict reading = &fixed;
	volatile int *volatile twice = &moving;
	register long fast = opaque(seed + 4);
	int value = seed + 5, *one = &value, **two = &one, ***three = &two;
	void *nothing = 0, *anything = &value;
	struct hidden *secret = vault_secret();
	int (*function)(int) = account_total;
	int (*table[2])(int) = {vault_twin_a, account_total};
	const char *const words[2] = {"debit", "credit"};
	char text[7] = "ledger";
#if !IS_TCC
	_Atomic int shared = seed + 6;
	_Atomic unsigned char octet = (unsigned char)opaque(255);
#endif
	MARK();
	SHOW(seed);
	SHOW(fixed);
	SHOW(moving);
	SHOW(both);
	SHOW_PTR(constant_pointer);
	SHOW(*constant_pointer);
	SHOW_PTR(reading);
	SHOW(*reading);
	SHOW_PTR(twice);
	SHOW(fast);
	SHOW(value);
	SHOW_PTR(one);
	SHOW(*one);
	SHOW_PTR(two);
	SHOW(**two);
	SHOW_PTR(three);
	SHOW(***three);
	SHOW_PTR(nothing);
	SHOW_PTR(anything);
	SHOW_PTR(secret);
	SHOW_PTR(function);
	show_pointer("table[0]", (void *)table[opaque(0)]);
	show_pointer("table[1]", (void *)table[opaque(1)]);
	show_pointer("words[0]", words[opaque(0)]);
	show_pointer("words[1]", words[opaque(1)]);
	SHOW_ARRAY(text, 7);
#if !IS_TCC
	SHOW(shared);
	SHOW(octet);
#endif
}
