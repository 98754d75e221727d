/* start.h - where a trace begins: at a function's first instruction, or where the program first
 * arrives at a line (`demo.c:12`). Either way it is over when the call that is active there
 * returns.
 *
 * How a debugger gets there may be said, too. Then the way begins at the first instruction of main,
 * and what is meant is the first arrival behind that:
 *     until demo.c:12    by the command `until`, in the frame of main alone
 *     advance demo.c:12  by the command `advance`
 *     *0x1139#3          by a breakpoint on that link-time address, at the third arrival
 * xstep itself goes one way only: its state is what theirs is compared with. */
#ifndef ORA_START_H
#define ORA_START_H

#include "oracle/witness/own/machine.h"
#include "oracle/witness/own/run.h"

enum ora_start_way {
	ORA_START_BREAKPOINT,
	ORA_START_UNTIL,
	ORA_START_ADVANCE,
	ORA_START_RANDOM, /* the third of the above */
};
#define ORA_START_WAYS "breakpoint|until|advance|random"

/* What a debugger's trouble begins with that did not get to the start by its way. */
#define ORA_START_MISSED "not reached: "

/* Such a text taken apart. */
struct ora_start {
	enum ora_start_way way;
	const char *place; /* what is behind the way: part of the text */
	char *file;        /* NULL: the place is the name of a function, or RANDOM */
	uint32_t line;
	xs_addr address; /* RANDOM: link-time, and which arrival */
	uint64_t arrival;
};
struct ora_start ora_start_parse(const char *from);
void ora_start_deinit(struct ora_start *start);
/* A place with its way, to be freed. */
char *ora_start_text(enum ora_start_way way, const char *place);

/* The addresses of a line in a process, as arrival.h has them. file: a path or the end of one,
 * NULL: that of main. No code for it is an error. */
XS_MUST_CHECK struct xs_error *ora_start_addresses(const struct ora_run *run, const char *file,
	uint32_t line, struct xs_ranges *ret, bool *approximate);

/* Runs there; from NULL: main, found even in a stripped program. */
XS_MUST_CHECK struct xs_error *ora_start_run(
	const struct ora_run *run, struct eng_process *process, const char *from);
/* How many bytes above the stack pointer the return address is: 0 at a function's first
 * instruction. */
XS_MUST_CHECK struct xs_error *ora_start_above(
	struct ora_machine *machine, const char *from, uint64_t *ret);

/* A start for somebody else's process. */
struct ora_start_found {
	xs_addr address; /* link-time */
	uint64_t above;  /* as above */
	bool from_main;  /* the way begins at main; else what follows is not known */
	xs_addr main;    /* link-time */
	bool in_main;    /* it is in the frame that begins there */
};
/* Whatever is no function is found by running the program, with nothing to read and its output
 * thrown away. */
XS_MUST_CHECK struct xs_error *ora_start_find(
	const struct ora_run *run, const char *from, struct ora_start_found *ret);
/* What link-time addresses are off by in a process of the program: one is made to tell. */
XS_MUST_CHECK struct xs_error *ora_start_bias(const struct ora_run *run, uint64_t *ret);

#endif
