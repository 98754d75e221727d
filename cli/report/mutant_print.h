/* mutant_print.h - what was done to make a mutant: one line, text or JSON. */
#ifndef CLI_MUTANT_PRINT_H
#define CLI_MUTANT_PRINT_H

#include <stdio.h>

#include "oracle/session/mutants.h"

/* how: it was made, with its own seed. */
void cli_mutant_print(FILE *out, bool json, const char *source, const struct src_mutate *how,
	const char *path, const struct src_mutant *mutant);

#endif
