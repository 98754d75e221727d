/* start.h - where a trace begins: at a function's first instruction, or where the program first
 * arrives at a line (`demo.c:12`). Either way it is over when the call that is active there
 * returns. */
#ifndef ORA_START_H
#define ORA_START_H

#include "oracle/witness/own/machine.h"
#include "oracle/witness/own/run.h"

/* FILE:LINE taken apart. */
struct ora_start_line {
	char *file; /* to be freed; NULL: `from` is the name of a function */
	uint32_t line;
};
struct ora_start_line ora_start_line(const char *from);

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

/* Both for somebody else's process: the link-time address, and those bytes. A line is found by
 * running the program, with nothing to read and its output thrown away. */
XS_MUST_CHECK struct xs_error *ora_start_find(
	const struct ora_run *run, const char *from, xs_addr *address, uint64_t *above);
/* What link-time addresses are off by in a process of the program: one is made to tell. */
XS_MUST_CHECK struct xs_error *ora_start_bias(const struct ora_run *run, uint64_t *ret);

#endif
