/* reply.h - what a debugger printed, read as a fact: a state and a value that can be compared with
 * a witness's.
 *
 * It reads what the commands of by_hand.h print in gdb 13 and lldb 15, and versions near them.
 * Nothing in here runs anything. */
#ifndef ORA_REPLY_H
#define ORA_REPLY_H

#include "oracle/session/by_hand.h"

/* What was printed. */
struct ora_printed {
	const struct ora_commands *commands; /* of ora_by_hand_ask() */
	const struct ora_commands *texts;    /* what each of them printed */
};

struct ora_reply {
	bool read; /* false: the debugger refused the question, or it was not understood */
	enum ora_state state; /* of a variable; VALUE of everything else */
	char *value;          /* as printed, without its type; a line; a list of frames; or NULL */
	char *words;          /* the lines that it was read from, as they were printed */
	bool complex;         /* refused because the path goes into a complex number */
};

/* Tells which functions are the program's own; NULL: all are. */
struct ora_reply_names {
	bool (*is_own)(void *arg, const char *function);
	void *arg;
};

void ora_reply_read(enum ora_witness_kind who, const struct ora_by_hand_question *question,
	const struct ora_printed *printed, struct ora_reply *ret);
/* Whether a witness's words are the same. */
bool ora_reply_is(const struct ora_reply *answer, const struct ora_by_hand_question *question,
	const struct ora_said *said, const struct ora_reply_names *names);
void ora_reply_deinit(struct ora_reply *answer);

/* The frames of a backtrace, as a debugger printed it: name after name, the innermost first, NULL
 * for one without a name. */
void ora_reply_frames(enum ora_witness_kind who, const char *text, struct ora_commands *ret);
/* Whether two spellings name one function: what a compiler or a debugger appends does not count. */
bool ora_reply_same_function(const char *a, const char *b);
/* Whether they name it with what it is in, too: `r::main` is not `main`. */
bool ora_reply_same_qualified(const char *a, const char *b);

#endif
