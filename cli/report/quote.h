/* quote.h - the commands that make gdb and lldb say again what a store says of them.
 *
 * The program is run once to count arrivals; what is printed takes a person to the stop, with the
 * debugger's own commands, and prints the variable there. Integers and pointers come out as the
 * store has them, floats in the debugger's own digits. */
#ifndef CLI_QUOTE_H
#define CLI_QUOTE_H

#include "oracle/session/program.h"
#include "oracle/store/store.h"

enum cli_quote_by { CLI_QUOTE_BOTH, CLI_QUOTE_GDB, CLI_QUOTE_LLDB };

struct cli_quote {
	struct ora_program *program;        /* its surroundings, as for the trace */
	const struct ora_trace_info *trace; /* whose fact */
	struct ora_reader *reader;          /* of that trace, having just read: */
	const struct ora_told *stop;        /* where */
	const char *var;      /* path of a leaf, of the innermost frame that has it; NULL: all */
	enum cli_quote_by by; /* whose commands */
};

/* Prints to standard output. */
XS_MUST_CHECK struct xs_error *cli_quote(const struct cli_quote *quote);

#endif
