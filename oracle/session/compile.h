/* compile.h - runs a compiler, to its end or to the end of patience.
 *
 * Rules:
 * 1. It runs in a process group of its own, which is gone when ora_compile() returns.
 * 2. Its temporary files go into a folder that the caller names, and removes.
 * 3. A caller that is told to end (SIGTERM) while it waits takes the compiler with it: see
 *    ora_compile_die_together(). */
#ifndef ORA_COMPILE_H
#define ORA_COMPILE_H

#include <stdbool.h>

#include "base/error.h"

struct ora_compiler {
	char *name;    /* as the user calls it: `gcc-12` */
	char *path;    /* where it is */
	char *version; /* the first line of what it says of itself */
	bool gcc;      /* has -fcompare-debug */
	bool rust;     /* rustc, whose options are others: see ora_rust_level(), ora_rust_debug() */
};

enum ora_compile_end {
	ORA_COMPILED, /* status 0 */
	ORA_REFUSED,  /* the source has errors, or the options have */
	ORA_CRASHED,  /* an internal error, or a signal */
	ORA_HUNG,     /* not done when patience ended */
	ORA_STOPPED,  /* ended by somebody else, or for want of something: no fact about it */
};

struct ora_compilation {
	enum ora_compile_end end;
	char *said;     /* on standard output and error, the first of it */
	double seconds; /* that it took */
};

/* Finds a compiler, by path or on PATH, and asks for its version. */
XS_MUST_CHECK struct xs_error *ora_compiler_init(struct ora_compiler *compiler, const char *name);
void ora_compiler_deinit(struct ora_compiler *compiler);
/* An option of gcc's and clang's as rustc has it, with a blank between words, to be freed:
 * `-O2` is `-C opt-level=2`, and `-g2` is `-C debuginfo=2`. NULL: rustc has none of that kind. */
char *ora_rust_level(const char *option);
char *ora_rust_debug(const char *option);
/* The name of the newest of a family on PATH: `gcc` may give `gcc-12`. To be freed; NULL if there
 * is none. */
char *ora_compiler_newest(const char *family);

/* Runs argv, argv[0] being a path, with `folder` for temporary files. An error only if it cannot be
 * run at all. */
XS_MUST_CHECK struct xs_error *ora_compile(
	char *const *argv, const char *folder, double seconds, struct ora_compilation *ret);
void ora_compilation_deinit(struct ora_compilation *compilation);
/* How it ended, by what waitpid() says and what was said. */
enum ora_compile_end ora_compile_judge(int status, const char *said);
/* The line of what was said that says most: the first error. To be freed. */
char *ora_compilation_complaint(const struct ora_compilation *compilation);
/* From now on SIGTERM, and the end of the parent, end this process and the compiler it waits for.
 */
void ora_compile_die_together(void);

#endif
