/* help.h - how a command describes itself. Everything is made from its table in cmd_<name>.c, so
 * that nothing can go stale: the help, the man page, and the completion of shells. */
#ifndef CLI_HELP_H
#define CLI_HELP_H

#include "cli/option.h"

/* Wrapped to 80 columns, or to the terminal's. */
void cli_print_help(const struct cli_command *command, FILE *out);
/* Runs the command below parent that argv names, or prints parent's help. `missing` is what is said
 * if it names none. */
int cli_run_below(const struct cli_command *parent, const char *missing, int argc, char **argv);
/* A page in roff, by the macros of man(7). */
void cli_print_manual(const struct cli_command *command, FILE *out);
/* The name of that page, without the section: `xstep-check-opt`. To be freed. */
char *cli_manual_name(const struct cli_command *command);
/* Scripts that complete the words of all commands of the tree below top: for bash, zsh, fish. */
void cli_print_completion(const struct cli_command *top, FILE *out);
void cli_print_completion_zsh(const struct cli_command *top, FILE *out);
void cli_print_completion_fish(const struct cli_command *top, FILE *out);

/* What to offer for the value of an option that does not choose among words. */
enum cli_offer { CLI_OFFER_NOTHING, CLI_OFFER_FILES, CLI_OFFER_FOLDERS };
enum cli_offer cli_option_offer(const struct cli_option *option);

/* `--name VALUE`, `--name[=VALUE]` or `--name`; to be freed. */
char *cli_option_usage(const struct cli_option *option);
/* The n-th way to call a command, as after `Usage:`; NULL if there are fewer. To be freed. */
char *cli_command_usage(const struct cli_command *command, size_t n);

#endif
