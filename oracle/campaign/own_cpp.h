/* own_cpp.h - programs of C++ that xstep makes by itself, by a seed alone: `--generate own`.
 *
 * Rules:
 * 1. The same seed gives the same text, on every machine.
 * 2. Behaviour is defined, and the same for every compiler: numbers are unsigned, nothing is
 *    divided by 0, nothing depends on an order of evaluation, on addresses or on hashes.
 * 3. A program prints what it computes, and ends soon.
 *
 * A program is a few pieces, each in a namespace of its own. A piece is a text with marks in it
 * (own_cpp_pieces.c) that the seed fills in:
 *     $K          a constant, 1u to 250u
 *     $N          a small count, 2 to 6, as a plain number
 *     $W          a word of small letters
 *     $E{a,b}     an expression of type unsigned over these
 *     $?{x|y|z}   one of these, with marks of its own */
#ifndef ORA_OWN_CPP_H
#define ORA_OWN_CPP_H

#include <stdint.h>

#define ORA_OWN "own"

struct ora_own_piece {
	const char *name; /* for a comment */
	const char *text; /* in a namespace; has a function `unsigned run(unsigned)` */
};

/* Ends with a NULL name. */
extern const struct ora_own_piece ora_own_pieces[];

/* The text of a program, to be freed. */
char *ora_own_cpp(uint64_t seed);

#endif
