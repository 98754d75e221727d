/* row.h - the debuggers that xstep knows, a row each: what they are called and how they are
 * started.
 *
 * A debugger is driven by a script in its own Python (oracle/witness/drivers). A new one is such a
 * script, a row here, and a word in witness.c. */
#ifndef ORA_ROW_H
#define ORA_ROW_H

#include "oracle/witness/witness.h"

enum { ORA_DEBUGGER_WORDS = 12 }; /* of a command line, its end included */

struct ora_debugger {
	enum ora_witness_kind kind;
	const char *script;                  /* its driver, in the folder of the drivers */
	char *words[ORA_DEBUGGER_WORDS - 4]; /* options that keep it to itself, and end it */
	char *command;                       /* the option before a command */
	char *loader;                        /* the option before what loads a driver */
	const char *load;   /* what loads a driver: a format for its path, quoted */
	const char *python; /* the command that runs a line of Python: a format for that */
	bool numbered;      /* it is called NAME-15, too */
	bool modules;       /* its Python module may have to be looked for */
	const char *absent; /* what to do if it is not there */
	const char *dumb;   /* what to do if its Python does not work: a format for `-15` */
};

const struct ora_debugger *ora_debugger_of(enum ora_witness_kind kind);
/* The command line that starts a debugger with one more option, `command` or `loader`, and its
 * value. ret has room for ORA_DEBUGGER_WORDS. */
void ora_debugger_argv(
	const struct ora_debugger *debugger, char *path, char *option, char *value, char **ret);
/* Adds a word to a command line, which has room for it. */
void ora_debugger_add(char **argv, char *word);

#endif
