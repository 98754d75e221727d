/* command_line.h - the words of a command, one after the other. */
#ifndef ORA_COMMAND_LINE_H
#define ORA_COMMAND_LINE_H

#include "base/vec.h"

/* Zero-initialised is empty. */
struct ora_command {
	XS_VEC(char *) vec; /* its own */
};

/* Adds words, up to a NULL. */
void ora_command_add(struct ora_command *line, ...) __attribute__((sentinel));
/* Adds the words of a text, which blanks separate. */
void ora_command_split(struct ora_command *line, const char *text);
/* Adds a word that is the line's from now on. */
void ora_command_take(struct ora_command *line, char *word);
/* As execv() takes them, until the next is added. */
const char *const *ora_command_words(struct ora_command *line);
/* As it is typed, to be freed. */
char *ora_command_text(const struct ora_command *line);
void ora_command_deinit(struct ora_command *line);

#endif
