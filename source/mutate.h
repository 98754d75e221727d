/* mutate.h - mutants of a C source: the same program written otherwise, so that the compiler has
 * more and odder debug information to keep, and other paths to optimise by.
 *
 * The mutators are those of the Dfusor paper, and one that plants probes. They run in the order of
 * the enum, each on the text that the one before it made, and touch only the file itself, not what
 * it includes. What comes out is a function of the text, the options and the seed, on any machine.
 *
 * A mutant compiles wherever its seed does and behaves like it, unless `packed` is asked for. That
 * holds for programs whose behaviour does not depend on what C leaves open (order of evaluation,
 * layout). Where a mutator is not sure, it leaves the place as it is. */
#ifndef SRC_MUTATE_H
#define SRC_MUTATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

enum src_mutator {
	SRC_MUTATE_RCL,    /* randomised code lowering: temporaries, gotos, split declarations */
	SRC_MUTATE_FCO,    /* fine control of optimisation: attributes */
	SRC_MUTATE_ASM,    /* empty inline assembly with the variables in scope */
	SRC_MUTATE_OCP,    /* obfuscation of code positions: #line, line breaks, blanks */
	SRC_MUTATE_PROBES, /* SystemTap probes with the variables in scope */
	SRC_MUTATORS,      /* how many there are */
};

/* Their names, as options and reports have them: "rcl", "fco", "asm", "ocp", "probes". */
extern const char *const src_mutator_names[SRC_MUTATORS];

struct src_mutate {
	double chance[SRC_MUTATORS]; /* that a place is changed, 0 (the mutator is left out) to 1;
					doubled as long as no place is, so that a small program is
					changed, too, if it can be */
	uint64_t seed;               /* another one, another mutant */
	bool packed;                 /* FCO: packed types too; then layouts change */
	const char *const *flags;    /* of the compiler, for the parser: -I, -D, -std */
	size_t flag_count;
};

/* What the command does unless told otherwise: all but asm and probes, no seed, no flags. */
#define SRC_MUTATE_INIT                                                                            \
	{                                                                                          \
		.chance = { 0.9, 0.5, 0, 0.05, 0 }                                                 \
	}

struct src_mutant {
	char *text; /* the source; a NUL behind it */
	size_t size;
	uint64_t applied[SRC_MUTATORS]; /* places changed */
	bool dropped[SRC_MUTATORS]; /* what it made did not parse, and was undone: a bug of ours */
};

/* Makes one mutant of the file. */
XS_MUST_CHECK struct xs_error *src_mutate(
	const char *path, const struct src_mutate *how, struct src_mutant *ret);
void src_mutant_deinit(struct src_mutant *mutant);

#endif
