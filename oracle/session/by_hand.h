/* by_hand.h - what a person types to get to a stop in gdb or in lldb, and to ask there.
 *
 * Rules:
 * 1. The way is oracle/witness/own/route.h's: it leads to the very arrival that is meant, not to
 *    the first one.
 * 2. Commands are lines for the debugger itself, quoted as it wants them. A whole session is one
 *    line for a shell (ora_by_hand_line), quoted as that wants it.
 * 3. reproduce.h gives a debugger these very commands: what is printed was tried.
 * 4. No text of a program's does anything but name what it names (base/quoting.h). What a
 *    debugger's language has no words for, a name with a line break or one that is an expression,
 *    is unsayable: it is not asked, and nobody is accused of the answer.
 * 5. Nothing is read from the folder where a line is pasted: no init files, no lldb.py. */
#ifndef ORA_BY_HAND_H
#define ORA_BY_HAND_H

#include "dwarf/module.h"
#include "oracle/judge/compare.h"
#include "oracle/witness/own/route.h"
#include "oracle/witness/witness.h"

/* What lldb is asked to list the variables of a frame, each with its place in the source. */
#define ORA_LLDB_LIST "frame variable --show-globals --show-declaration"

/* Where to go. */
struct ora_by_hand {
	enum ora_witness_kind who;     /* gdb or lldb */
	const char *debugger;          /* as it is to be called; NULL: by its name */
	const struct ora_run *run;     /* the program, its arguments and environment */
	const struct ora_route *route; /* the way to the stop; NULL: the first arrival at a line: */
	const char *file;              /* of that, as the debugger may know it */
	unsigned line;                 /* likewise */
	const char *in;                /* what the program reads; NULL: nothing */
	const char *out;               /* what it writes to; NULL: the terminal */
	const char *directory; /* that the program is in; NULL: where xstep is, empty: where the
				* debugger is */
	bool brief;            /* in the debugger's own surroundings, to be typed */
};

/* What is asked there. Texts may be NULL. */
struct ora_by_hand_question {
	enum ora_aspect aspect;   /* of the answer: a variable, the line, the frames, a register */
	const char *path;         /* leaf, or register with its `$`; NULL: all variables */
	const char *var;          /* the variable that it is a leaf of */
	const char *scope;        /* the function that has it */
	const char *unit;         /* the file that declares it; for those of one name */
	unsigned line;            /* of that declaration; 0: unknown */
	bool file_scope;          /* it is at file scope */
	bool in_main;             /* it is a local of main, or of what is inlined there */
	bool hidden;              /* its name means another variable there */
	bool by_name;             /* by the debugger's other voice, an expression */
	bool listed;              /* whether it is listed is the point */
	bool complex;             /* the path ends in a half of a complex number */
	char letter;              /* of the format that its type wants; 0: by what was said */
	bool plain;               /* in the debugger's own format */
	bool short_float;         /* it is a float of two bytes */
	unsigned frame;           /* that it is seen from, by the debugger's own numbers */
	enum ora_state state;     /* what is said of it, which decides how it is printed */
	const char *value, *type; /* likewise */
	xs_addr pc;               /* of the stop, in the process; for the line table */
};

struct ora_commands {
	XS_VEC(char *) vec; /* one a line */
	bool unsayable;     /* rule 4: a comment stands where a command should be */
};

/* What a witness said at a difference, as a question to it. The texts stay the difference's. bias:
 * see ora_route. */
struct ora_by_hand_question ora_by_hand_about(
	const struct ora_difference *difference, size_t w, bool by_name, xs_addr bias);

/* What shows a violation of a rule (check.h): the variable, listed among all if its being there is
 * the point, or where the program is. */
struct ora_by_hand_question ora_by_hand_of_violation(
	const struct ora_difference *difference, xs_addr bias);

/* Learns from the DWARF what cannot be seen in a path: that it goes into a complex number, or that
 * a value is a float whatever its type is called. pc: link-time, of the frame. */
void ora_by_hand_know(struct ora_by_hand_question *question, struct di_module *module, xs_addr pc);

/* Whether the answer is the same in the debugger's own surroundings, where the stack lies
 * elsewhere: not if it is an address there. */
bool ora_by_hand_may_be_brief(const struct ora_by_hand_question *question);

/* The surroundings that xstep gives a program: the stack lies where it lies in every witness. */
void ora_by_hand_settings(const struct ora_by_hand *session, struct ora_commands *ret);
/* From the start of the program to the stop. */
void ora_by_hand_way(const struct ora_by_hand *session, struct ora_commands *ret);
/* The question. */
void ora_by_hand_ask(const struct ora_by_hand *session, const struct ora_by_hand_question *question,
	struct ora_commands *ret);
/* Whether the debugger can be started on the program's path: else the settings, or in a brief
 * session the way, begin with a command for that. */
bool ora_by_hand_is_started_on(const struct ora_by_hand *session);
/* The words that start the debugger on the program, for a shell; to be freed. */
char *ora_by_hand_start(const struct ora_by_hand *session);
/* All of it as one line for a shell, to be freed; without the settings if the session is brief.
 * What is unsayable is a comment that says so. */
char *ora_by_hand_line(
	const struct ora_by_hand *session, const struct ora_by_hand_question *question);
void ora_commands_deinit(struct ora_commands *commands);

/* What a person calls the debugger at a path: by its name if PATH leads there, to be freed. */
char *ora_by_hand_called(const char *path);

#endif
