/* case_build.h - how a program was built, as far as that can be read: out of the command that built
 * it, or out of what its DW_AT_producer says. */
#ifndef ORA_CASE_BUILD_H
#define ORA_CASE_BUILD_H

#include <stdbool.h>

#include "oracle/campaign/command_line.h"

/* All its own. */
struct ora_case_build {
	char *compiler;           /* as it is called; NULL: unknown */
	char *level;              /* of optimisation; NULL: unknown */
	struct ora_command flags; /* the rest of what matters */
};

/* Of a command of the shell: `gcc-12 -g -O2 t.c`. False: it is more than words, or names no
 * compiler first. */
bool ora_case_build_of_command(const char *command, struct ora_case_build *ret);
/* Of a producer: gcc's has its options, clang's only its version. False: neither. */
bool ora_case_build_of_producer(const char *producer, struct ora_case_build *ret);
void ora_case_build_deinit(struct ora_case_build *build);

#endif
