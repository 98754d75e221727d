/* mutants.h - mutants of C sources, written to files. */
#ifndef ORA_MUTANTS_H
#define ORA_MUTANTS_H

#include "source/mutate.h"

/* Writes a mutant: whole or not at all. */
XS_MUST_CHECK struct xs_error *ora_mutant_write(const struct src_mutant *mutant, const char *path);

struct ora_mutants {
	struct src_mutate
		how; /* they are made; its seed is that of the first, the next has one more */
	const char *folder; /* where they go: NAME.SEED.c for NAME.c; made if it is not there */
	uint64_t count;     /* how many of each source */
	bool force;         /* overwrite files that are there */
	/* Called for each that was written, with its own seed in `how`. */
	void (*on_mutant)(void *context, const char *source, const struct src_mutate *how,
		const char *path, const struct src_mutant *mutant);
	void *context;
};

/* Makes the mutants of all sources. Whether they can be written is looked at before the first
 * is. */
XS_MUST_CHECK struct xs_error *ora_mutants_make(
	const struct ora_mutants *mutants, const char *const *sources, size_t count);

#endif
