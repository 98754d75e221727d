/* option.h - commands and their options. One table drives parsing, help (cli/help.h), man pages and
 * completion.
 *
 * Options come before the operands; the first word that is none (the program to trace) ends them,
 * so that its own arguments are left alone. `--` ends them too. */
#ifndef CLI_OPTION_H
#define CLI_OPTION_H

#include <stdbool.h>

#include "base/error.h"
#include "base/vec.h"

enum cli_kind {
	CLI_FLAG,     /* bool: given or not */
	CLI_STRING,   /* const char * */
	CLI_STRINGS,  /* struct xs_strings: may be repeated */
	CLI_COUNT,    /* uint64_t: a whole number, at least 1 */
	CLI_NUMBER,   /* uint64_t: the same, or 0 */
	CLI_SECONDS,  /* double: more than 0 */
	CLI_CHANCE,   /* double: from 0 to 1 */
	CLI_CHOICE,   /* int: index of a word in `choices` */
	CLI_BASELINE, /* struct ora_baseline: a file, read at once, so that a bad one is refused
		       * before anything is run */
	CLI_OPTIONAL, /* struct cli_optional: a flag that may have a value, by '=' only */
};

struct cli_optional {
	bool given;        /* with a value or without */
	const char *value; /* NULL if without */
};

struct cli_option {
	const char *group;    /* heading in the help, when it differs from the one before */
	const char *name;     /* without the dashes */
	char letter;          /* short form, 0 if there is none */
	enum cli_kind kind;   /* what it takes */
	const char *argument; /* name of its value in the help; for CHOICE the words, by '|' */
	const char *help;     /* what it does; ends with (default: ...) where there is one */
	size_t offset;        /* of its field in the command's options */
};

struct cli_command {
	const char *name;     /* as typed: `check opt`; "" is xstep itself */
	const char *operands; /* for the usage line; " | " separates several */
	const char *summary;  /* one line, without a full stop */
	const char *details;  /* below the options, see cli/report/prose.h; may be NULL */
	const struct cli_option *options;  /* ends with a NULL name */
	int (*run)(int argc, char **argv); /* argv[0] is the command's last word */
	const struct cli_command *const
		*commands; /* those below it, NULL at the end; may be NULL */
	bool paged;        /* its report may be longer than a screen (cli/report/screen.h) */
};

enum cli_status {
	CLI_NOTHING = 0, /* done, nothing found */
	CLI_FOUND = 1,   /* done, differences found */
	CLI_TROUBLE = 2, /* not done */
};

/* The options that every command has besides those of its table: of the terminal, and for help.
 * They may stand before its name, too. Ends with a NULL name. */
extern const struct cli_option cli_common_options[];

/* Fills `values` from argv[1..]. *first is the index of the first operand; *help is set if --help
 * was among them. */
XS_MUST_CHECK struct xs_error *cli_parse(const struct cli_command *command, int argc, char **argv,
	void *values, int *first, bool *help);
/* The same for commands whose operands are files of ours: options may stand between them. */
XS_MUST_CHECK struct xs_error *cli_parse_all(const struct cli_command *command, int argc,
	char **argv, void *values, struct xs_strings *operands, bool *help);
/* The options before the word of a command, and no more: as cli_parse(), but who comes next may say
 * more about the screen. */
XS_MUST_CHECK struct xs_error *cli_parse_before(const struct cli_command *command, int argc,
	char **argv, void *values, int *first, bool *help);
/* The last word of its name. */
const char *cli_command_word(const struct cli_command *command);
/* The command below parent that word names; an error proposes the nearest name. */
XS_MUST_CHECK struct xs_error *cli_command_find(
	const struct cli_command *parent, const char *word, const struct cli_command **ret);
/* Prints `xstep: <message>` to stderr, frees err, and returns CLI_TROUBLE. */
int cli_fail(struct xs_error *err);

#endif
