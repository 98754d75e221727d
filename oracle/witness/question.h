/* question.h - what a witness is asked about a program; the same for every witness.
 *
 * The values of each enum are in the order of the words of the option that is called like it. */
#ifndef ORA_QUESTION_H
#define ORA_QUESTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "oracle/store/store.h"

struct ora_run;
struct xs_ranges;

/* What one step is. */
enum ora_level { ORA_LEVEL_INSTRUCTION, ORA_LEVEL_LINE, ORA_LEVEL_BREAK };
/* How xstep advances. */
/* UNIQUE is EXACT with the sample of that name, and a limit of stops that are told. */
enum ora_mode { ORA_MODE_EXACT, ORA_MODE_SINGLE, ORA_MODE_UNIQUE };
/* Follow the mode in a trace of a program that gets steady answers (engine/steady_run.h), of a run
 * that was moved, and of a second one (run.h). */
#define ORA_MODE_STEADY ", steady"
#define ORA_MODE_MOVED  ", moved"
#define ORA_MODE_AGAIN  ", again"
/* Likewise, of one that rounds otherwise. */
#define ORA_MODE_ROUNDING ", rounding"
/* Likewise, where the variables of the innermost frame only are told. */
#define ORA_MODE_INNER ", inner"
/* Likewise, where a debugger was asked at some addresses only. */
#define ORA_MODE_ONLY ", only"
/* Which stops are told. */
enum ora_sample { ORA_SAMPLE_NONE, ORA_SAMPLE_ALL, ORA_SAMPLE_UNIQUE, ORA_SAMPLE_DTD };
/* Which variables are. */
enum ora_vars { ORA_VARS_NONE, ORA_VARS_LOCALS, ORA_VARS_ALL };
/* Which texts a debugger is asked for: those whose bytes changed; all; or whole variables. */
enum ora_ask { ORA_ASK_NEEDED, ORA_ASK_ALL, ORA_ASK_TEXT };
/* Which threads are traced. */
enum ora_threads { ORA_THREADS_MAIN, ORA_THREADS_ALL };

#define ORA_NOT_GIVEN (-1) /* of any of them: the default is meant */

const char *ora_level_text(int level);
const char *ora_mode_text(int mode);
/* Whether the mode of a trace is that word, whatever follows of the above. */
bool ora_mode_is(const char *mode, const char *word);
const char *ora_sample_text(int sample);
const char *ora_vars_text(int vars);
const char *ora_ask_text(int ask);

struct ora_question {
	struct ora_run *run;        /* the program, opened, in its surroundings */
	const char *from;           /* where to begin (own/start.h); NULL: main */
	const char *const *modules; /* shared objects to look into as well, whenever loaded */
	size_t module_count;        /* how many */
	int level, sample, vars, ask, threads, mode; /* see above */
	uint64_t seed;                               /* of the sampling */
	uint64_t limit;                              /* stops at most, 0: no limit */
	uint64_t max_leaves;                         /* of a variable; 0: the default */
	bool frames, regs;                           /* whether backtraces and registers are told */
	bool inner; /* xstep: of the variables those of the innermost frame will do, and nobody
		     * asks libunwind for a second opinion */
	/* Debuggers with a plan: the link-time addresses that they are asked at; NULL: anywhere. */
	const struct xs_ranges *only;
	double patience; /* seconds without a sign of life; 0: the default */
};

/* The same as a trace of the store has it; who answers, and how it advances, is not filled in. */
struct ora_store_trace ora_question_trace(const struct ora_question *question);

#endif
