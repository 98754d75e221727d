/*
 * ledger_journal.c - recursion, arrays, callbacks, nested functions, jumps and signals.
 */
#include "ledger.h"

#include <alloca.h>
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>

static int total = 22; /* not ledger_account.c's */
static short journal_table[2][3] = {{1, -2, 3}, {-4, 5, -6}};
static jmp_buf journal_way;
#if !IS_TCC
static _Thread_local int depth = 22;
typedef int four __attribute__((vector_size(16)));
typedef float eight __attribute__((vector_size(32)));
typedef unsigned char sixteen __attribute__((vector_size(16)));
#endif

/* The innermost call is the stop; on the way back each call tells what it had. */
APART int journal_walk(int left, long sum)
{
	long here = sum * 3 + left;
	int stop = 0, level = 1, result = 0;
	if (left == 0) {
		MARK();
		stop = mark_stop;
	} else {
		result = journal_walk(left - 1, here);
		level = result + 1;
		stop = mark_stop;
		show_outer(stop, level);
	}
	SHOW(left);
	SHOW(sum);
	SHOW(here);
	if (level == 1) {
		SHOW(total);
		SHOW_GRID(journal_table, 2, 3);
	}
	return level;
}

APART void journal_arrays(int rows, int columns)
{
	int flat[rows];
	double grid[rows][columns];
	short (*row)[columns] = malloc(sizeof *row);
	int cube[2][2][2];
	struct tail *tail = malloc(sizeof *tail + 3 * sizeof(short));
	int *space = alloca(3 * sizeof(int));
	struct {
		char tag;
		long lines[2];
	} list[2];
	for (int i = 0; i < rows; i++) {
		flat[i] = (int)opaque(i * 10 - 5);
		for (int j = 0; j < columns; j++)
			grid[i][j] = opaque_real(i + j / 4.0);
	}
	for (int i = 0; i < 8; i++)
		cube[i >> 2][i >> 1 & 1][i & 1] = (int)opaque(i * i);
	for (int i = 0; i < columns; i++)
		(*row)[i] = (short)opaque(-i);
	tail->count = 3;
	for (int i = 0; i < 3; i++) {
		tail->items[i] = (short)opaque(100 + i);
		space[i] = (int)opaque(7 * i);
	}
	for (int i = 0; i < 2; i++) {
		list[i].tag = (char)opaque('a' + i);
		list[i].lines[0] = opaque(i);
		list[i].lines[1] = opaque(-i);
	}
#if !IS_TCC
	four ints = {(int)opaque(1), -2, 3, (int)opaque(-4)};
	eight floats = {(float)opaque_real(0.5), 1, 2, 3, 4, 5, 6, (float)opaque_real(-7.25)};
	sixteen bytes = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, (unsigned char)opaque(255)};
#endif
	MARK();
	SHOW(rows);
	SHOW(columns);
	SHOW_ARRAY(flat, rows);
	SHOW_GRID(grid, rows, columns);
	SHOW_PTR(row);
	for (show_i = 0; show_i < 2; show_i++)
		for (show_j = 0; show_j < 2; show_j++) {
			SHOW_AS("cube[%][$][0]", cube[show_i][show_j][0]);
			SHOW_AS("cube[%][$][1]", cube[show_i][show_j][1]);
		}
	SHOW_PTR(tail);
	SHOW(tail->count);
	SHOW_ARRAY(tail->items, 3);
	SHOW_PTR(space);
	SHOW(space[2]);
	for (show_i = 0; show_i < 2; show_i++) {
		SHOW_AS("list[%].tag", list[show_i].tag);
		SHOW_AS("list[%].lines[0]", list[show_i].lines[0]);
		SHOW_AS("list[%].lines[1]", list[show_i].lines[1]);
	}
#if !IS_TCC
	SHOW_ARRAY(ints, 4);
	SHOW_ARRAY(floats, 8);
	SHOW_ARRAY(bytes, 16);
	SHOW(depth);
#endif
	free(row);
	free(tail);
}

static int calls_made;

static int entry_compare(const void *left, const void *right)
{
	const short *a = left, *b = right;
	int difference = *a - *b;
	if (++calls_made == 3) {
		MARK();
		SHOW_PTR(left);
		SHOW_PTR(right);
		SHOW_PTR(a);
		SHOW_PTR(b);
		SHOW(*a);
		SHOW(*b);
		SHOW(calls_made);
		SHOW(difference);
	}
	return difference;
}

APART void journal_callbacks(void)
{
	short keys[5] = {(short)opaque(5), -1, (short)opaque(4), 2, (short)opaque(-3)};
	int stop = mark_stop;
	qsort(keys, 5, sizeof keys[0], entry_compare);
	MARK();
	SHOW(stop);
	SHOW_ARRAY(keys, 5);
	SHOW(calls_made);
}

APART void journal_nested(int start)
{
#if IS_GCC
	int outer = (int)opaque(start * 2);
	long list[2] = {opaque(start), opaque(-start)};
	__attribute__((noinline)) int add(int by)
	{
		int sum = outer + by;
		__attribute__((noinline)) int deeper(int factor)
		{
			long made = (long)sum * factor + start;
			outer++;
			MARK();
			SHOW(factor);
			SHOW(made);
			SHOW(sum);
			SHOW(by);
			SHOW(outer);
			SHOW(start);
			SHOW_ARRAY(list, 2);
			return (int)made;
		}
		return deeper(by + 1) + sum;
	}
	int result = add((int)opaque(5));
	MARK();
	SHOW(start);
	SHOW(outer);
	SHOW(result);
	SHOW_ARRAY(list, 2);
#else
	(void)start;
#endif
}

APART static void jump_back(int with)
{
	longjmp(journal_way, with);
}

APART void journal_jump(void)
{
	volatile int kept = (int)opaque(4);
	int way = setjmp(journal_way);
	if (way == 0) {
		kept = 9;
		jump_back(6);
	}
	MARK();
	SHOW(kept);
	SHOW(way);
}

static volatile sig_atomic_t signals_seen;

static void journal_handler(int number)
{
	double local = opaque_real(number / 4.0);
	signals_seen++;
	MARK();
	SHOW(number);
	SHOW(local);
	SHOW(signals_seen);
	SHOW(total);
}

APART void journal_signal(void)
{
	signal(SIGUSR1, journal_handler);
	int before = (int)opaque(1);
	raise(SIGUSR1);
	total += before;
	MARK();
	SHOW(before);
	SHOW(signals_seen);
	SHOW(total);
}
