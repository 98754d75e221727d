/* screen.h - standard output as a person sees it: how wide it is, its colours, its pager.
 *
 *  1. Where standard output is no terminal no byte changes, except for colours that were asked for.
 *  2. On a terminal a line that is too long is wrapped between its words. What follows begins where
 *     the text of the line began, behind its label. No word is broken: paths and numbers stay whole
 *     and may stick out. What is to be pasted is left alone (cli_screen_verbatim).
 *  3. What a program reads (--format json, --man, ...) is neither wrapped nor coloured.
 *  4. The report of a command that is `paged` is kept until the command is done, and a pager shows
 *     it then, unless it fits on the screen: nothing else runs while somebody reads, and a report
 *     is not mixed with the line of progress. Only what is very long is handed on before.
 *  5. The pager is not asked for after ^C: who wants to leave does not want to read.
 *
 * Commands print to stdout and know nothing of this. cli_parse() begins it; main() ends it. */
#ifndef CLI_SCREEN_H
#define CLI_SCREEN_H

#include <stdbool.h>
#include <stdio.h>

enum cli_colour { CLI_COLOUR_AUTO, CLI_COLOUR_ALWAYS, CLI_COLOUR_NEVER };

/* What the command line says of it: the options that every command has. */
struct cli_screen_wishes {
	int colour;    /* enum cli_colour */
	bool no_pager; /* print, however long it is */
};
extern struct cli_screen_wishes cli_screen_wishes;

/* From now on stdout is the screen, if standard output is a terminal. data: a program reads it. */
void cli_screen_begin(bool paged, bool data);
/* Writes what is kept, and waits for the pager. What is printed afterwards goes out at once. */
void cli_screen_end(void);
/* Ends xstep by a signal that came: whoever sent it expects that. What is kept is written first. */
void cli_screen_die(int signal);

/* How many columns a text may have that is laid out for out: `usual`, or less if the screen has
 * less. */
size_t cli_screen_room(FILE *out, size_t usual);
/* The same for what is cut: on a wider screen it is more. */
size_t cli_screen_columns(FILE *out, size_t usual);
/* From now on lines are left as they are, or wrapped again. */
void cli_screen_verbatim(FILE *out, bool on);

/* What a colour means. Each is a help to the eye only: words or marks say the same. */
enum cli_ink {
	CLI_INK_NONE,  /* as all else */
	CLI_INK_TITLE, /* where something begins: a cluster, a heading, a variable */
	CLI_INK_WRONG, /* who is wrong; what does not work */
	CLI_INK_RIGHT, /* what holds */
	CLI_INK_OPEN,  /* differs, and nobody is named: contested, unproven, missing */
	CLI_INK_PLACE, /* an address, a place in the source */
	CLI_INK_FAINT, /* what is only there to lead the eye: labels, numbers of stops */
};
/* Whether out has colours. */
bool cli_screen_is_coloured(FILE *out);
/* From here on out is written in that ink. */
void cli_ink(FILE *out, enum cli_ink ink);
/* A word of ours in that ink, with blanks up to a width. */
void cli_ink_word(FILE *out, enum cli_ink ink, const char *word, int width);

#endif
