/*
 * ledger.h - types that all units of the ledger share.
 */
#ifndef LEDGER_H
#define LEDGER_H

#include "../show.h"

enum side { DEBIT = -1, NEITHER, CREDIT };
enum mask { MASK_LOW = 1u, MASK_HIGH = 0xfffffff0u };
#if !IS_TCC
enum wide { WIDE_LOW = -5, WIDE_HIGH = 0x7fffffffffffLL };
#endif

struct hidden; /* only ledger_vault.c knows it */

struct money {
	long units;
	unsigned short cents;
	_Bool negative;
};

struct flags {
	unsigned a : 1;
	unsigned b : 5;
	int c : 6;
	unsigned long d : 40;
	signed long e : 23;
	int : 0;
	short f : 9;
	_Bool g : 1;
	enum side h : 3;
	unsigned char after;
};

struct __attribute__((packed)) tight {
	char tag;
	int value : 27;
	unsigned cross : 13;
	long long far : 50;
	double where;
};

struct entry {
	struct money amount;
	union {
		int i;
		float f;
		unsigned char bytes[4];
	};
	struct {
		short x;
		struct {
			signed char y, z;
		};
	};
	struct {
		int inner;
		union {
			unsigned u;
			short s[2];
		} choice;
	} named;
	enum side side;
	const char *text;
	struct entry *next;
	struct hidden *secret;
	int (*rule)(const struct entry *, int);
};

struct tail {
	int count;
	short items[];
};

typedef int plain_int;
typedef const volatile plain_int odd_int;
typedef struct money money_t;

/* ledger_account.c */
extern int total_external;
extern struct entry first_entry;
void account_scalars(signed char small, unsigned short port, long long big, double rate, float share);
void account_structs(struct money by_value, struct entry *by_pointer);
int account_total(int by);
void account_qualified(int seed);

/* ledger_journal.c */
int journal_walk(int depth, long sum);
void journal_arrays(int rows, int columns);
void journal_callbacks(void);
void journal_nested(int start);
void journal_jump(void);
void journal_signal(void);

/* ledger_vault.c */
struct hidden *vault_secret(void);
#if !IS_TCC
extern _Thread_local long vault_local;
#endif
void vault_thread(void);
int vault_twin_a(int first);
int vault_twin_b(int second);
int vault_rare(int value);
int vault_sum(int count, ...);
long vault_hop(long value, int times);
void vault_many(int a, int b, int c, int d, int e, int f, int g, short h, double i, float j, double k,
				double l, double m, double n, double o, double p, double q, long double r, struct money s);

static inline __attribute__((always_inline)) int scaled(int by, int what)
{
	int made = by * what + 1;
	MARK();
	SHOW(by);
	SHOW(what);
	SHOW(made);
	return made;
}
#endif
