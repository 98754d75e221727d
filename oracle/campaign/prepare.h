/* prepare.h - makes a program, and finds out whether it is fit to be asked about.
 *
 * In this order, and the first reason counts:
 * 1. It is generated, copied or mutated, and is not too large.
 * 2. It compiles with all compilers at all levels. A compiler that crashes is a finding, too. One
 *    that takes too long is suspected: the clock runs on a busy machine as well. One that a limit
 *    or somebody else ended is neither: the program is left out, and nobody is named.
 * 3. It ends by itself within the limit, of no signal, and prints not too much; two runs of it
 *    print the same.
 * 4. It has no undefined behaviour, as far as ASan and UBSan can see that: built with them at -O1
 *    it runs clean.
 * 5. All builds of it end and print as the first one does.
 * 6. It executes not too many instructions.
 *
 * All of that is a function of the plan, the origin and the compilers; only limits of time are
 * not. */
#ifndef ORA_PREPARE_H
#define ORA_PREPARE_H

#include "oracle/campaign/box.h"
#include "oracle/campaign/campaign_plan.h"

/* In a process that may run boxes. base: of a mutant, the id of the program that it is made of.
 * *ret has the program with its builds, and with its jobs if it is kept. Its source and its builds
 * are in the campaign's folder then. An error is ours: a full disk. */
XS_MUST_CHECK struct xs_error *ora_prepare(const struct ora_plan *plan,
	const struct ora_origin *origin, const char *base, const char *scratch,
	struct ora_campaign_program *ret);

/* The limits of a command, by the plan. */
struct ora_box ora_prepare_box(
	const struct ora_plan *plan, const char *folder, const char *scratch, double seconds);
/* How a compiler ended. What a limit of ours or somebody else ended is ORA_STOPPED. */
enum ora_compile_end ora_prepare_judge(const struct ora_boxed *boxed);
/* Runs a compiler in `folder`, and judges how it ended; *boxed is to be let go of. */
enum ora_compile_end ora_prepare_compile(const struct ora_plan *plan, const char *folder,
	const char *scratch, struct ora_command *line, struct ora_boxed *boxed);
/* The error that says that a disk is full. */
XS_MUST_CHECK struct xs_error *ora_prepare_full(const char *folder, const char *scratch);
/* Copies a file, with its mode. */
XS_MUST_CHECK struct xs_error *ora_copy_file(const char *from, const char *to);

#endif
