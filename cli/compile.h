/* compile.h - runs a compiler, to its end or to the end of patience.
 *
 * Rules:
 * 1. It runs in a process group of its own, which is gone when cli_compile() returns.
 * 2. Its temporary files go into a folder that the caller names, and removes.
 * 3. A caller that is told to end (SIGTERM) while it waits takes the compiler with it: see
 *    cli_compile_die_together(). */
#ifndef CLI_COMPILE_H
#define CLI_COMPILE_H

#include <stdbool.h>

#include "base/error.h"

struct cli_compiler {
	char *name;    /* as the user calls it: `gcc-12` */
	char *path;    /* where it is */
	char *version; /* the first line of what it says of itself */
	bool gcc;      /* has -fcompare-debug */
};

enum cli_compile_end {
	CLI_COMPILED, /* status 0 */
	CLI_REFUSED,  /* the source has errors, or the options have */
	CLI_CRASHED,  /* an internal error, or a signal */
	CLI_HUNG,     /* not done when patience ended */
};

struct cli_compilation {
	enum cli_compile_end end;
	char *said;     /* on standard output and error, the first of it */
	double seconds; /* that it took */
};

/* Finds a compiler, by path or on PATH, and asks for its version. */
XS_MUST_CHECK struct xs_error *cli_compiler_init(struct cli_compiler *compiler, const char *name);
void cli_compiler_deinit(struct cli_compiler *compiler);
/* Whether there is a program of that name on PATH. */
bool cli_compiler_is_there(const char *name);

/* Runs argv, argv[0] being a path, with `folder` for temporary files. An error only if it cannot be
 * run at all. */
XS_MUST_CHECK struct xs_error *cli_compile(
	char *const *argv, const char *folder, double seconds, struct cli_compilation *ret);
void cli_compilation_deinit(struct cli_compilation *compilation);
/* The line of what was said that says most: the first error. To be freed. */
char *cli_compilation_complaint(const struct cli_compilation *compilation);
/* From now on SIGTERM, and the end of the parent, end this process and the compiler it waits for.
 */
void cli_compile_die_together(void);

#endif
