/* by_hand.h - what a person types to get to a stop in gdb or in lldb, and to ask there.
 *
 * The way is oracle/witness/own/route.h's: it leads to the very arrival that is meant, not to the
 * first one. */
#ifndef CLI_BY_HAND_H
#define CLI_BY_HAND_H

#include "oracle/judge/compare.h"
#include "oracle/witness/own/route.h"

enum cli_debugger { CLI_GDB, CLI_LLDB };

/* Where to go. */
struct cli_by_hand {
	const struct ora_run *run;     /* the program, its arguments and environment */
	const struct ora_route *route; /* the way to the stop */
	const char *in;                /* what the program reads; NULL: nothing */
	bool brief;                    /* in the debugger's own surroundings, to be typed */
};

/* What is asked there. */
struct cli_question {
	enum ora_aspect aspect;   /* of the answer: a variable, the line, the frames, a register */
	const char *path;         /* leaf, or register with its `$`; NULL: all variables */
	bool file_scope;          /* it is at file scope */
	bool by_name;             /* by the debugger's other voice, an expression */
	unsigned frame;           /* that it is seen from */
	enum ora_state state;     /* what is said of it, which decides how it is printed */
	const char *value, *type; /* likewise; NULL: unknown */
	xs_addr pc;               /* of the stop, in the process; for the line table */
};

struct cli_commands {
	XS_VEC(char *) vec; /* one a line */
};

/* The surroundings that xstep gives a program: the stack lies where it lies in every witness. */
void cli_by_hand_settings(
	enum cli_debugger who, const struct cli_by_hand *session, struct cli_commands *ret);
/* From the start of the program to the stop. */
void cli_by_hand_way(
	enum cli_debugger who, const struct cli_by_hand *session, struct cli_commands *ret);
/* The question. */
void cli_by_hand_ask(
	enum cli_debugger who, const struct cli_question *question, struct cli_commands *ret);
void cli_commands_deinit(struct cli_commands *commands);

#endif
