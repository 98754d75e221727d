/*
 * ledger_main.c - runs the ledger: each call leads to a stop or more.
 */
#include "ledger.h"

static int total = 44;

int main(void)
{
	struct money pay = {opaque(-12), (unsigned short)opaque(34), 1};
	int twin = 0, inlined = 0;
	account_scalars(-7, 65000, -1234567890123456789, 0.1, 0.1f);
	account_structs(pay, &first_entry);
	account_total(7);
	account_qualified((int)opaque(60));
	journal_walk(4, 2);
	journal_arrays(3, 2);
	journal_callbacks();
	journal_nested(8);
	journal_jump();
	journal_signal();
	vault_thread();
	twin = vault_twin_a((int)opaque(12));
	show_signed("first", 12);
	show_signed("tripled", 36);
	twin += vault_twin_b((int)opaque(13));
	show_signed("second", 13);
	show_signed("tripled", 39);
	vault_rare(40);
	vault_sum(3, 1, 0.5, 2, 0.25, -9, 4.0);
	vault_hop(opaque(90), 3);
	vault_many(1, -2, 3, -4, 5, -6, 7, -8, 0.5, 1.5f, 2.5, 3.5, 4.5, 5.5, 6.5, 7.5, 8.5, 0.1L, pay);
	inlined = scaled((int)opaque(6), twin);
	total += scaled(inlined, (int)opaque(-2));
	MARK();
	SHOW(pay.units);
	SHOW(pay.cents);
	SHOW(pay.negative);
	SHOW(twin);
	SHOW(inlined);
	SHOW(total);
	return 0;
}
