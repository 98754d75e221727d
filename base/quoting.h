/* quoting.h - texts of others in commands: a word for a shell, for gdb, for lldb.
 *
 * Rules:
 * 1. Every text of a program, a file, a store or a debugger that becomes part of a command goes
 *    through the function of this header for where it goes.
 * 2. A word that needs no quotes gets none: commands are for people.
 * 3. Control bytes cannot be said in a debugger's language, where a line break ends a command: ask
 *    xs_quote_is_line() of what is to be one line. In what is pasted they are written as escapes.
 * 4. A name is no expression. `print NAME` evaluates whatever NAME is, calls and assignments too:
 *    ask xs_quote_is_variable() before. */
#ifndef XS_QUOTING_H
#define XS_QUOTING_H

#include <stdbool.h>

/* A word for a shell that reads it from a program: any POSIX shell gets the same bytes. To be
 * freed, as all that follow. */
char *xs_quote_shell(const char *word);
/* A word for a person to paste into a terminal. What a terminal would act on or not show (control
 * bytes, bytes that are no UTF-8, invisible characters) is written as $'\033'. That is a form of
 * POSIX.1-2024: bash, zsh and ksh know it. To a shell that does not, it is another word, but still
 * one word that does nothing. */
char *xs_quote_paste(const char *word);
/* A word of those commands of gdb that take their line apart into words: file, symbol-file. */
char *xs_quote_gdb(const char *word);
/* A word of a command of lldb, whose backticks are for expressions even inside of quotes. */
char *xs_quote_lldb(const char *word);

/* Whether a text can be one line of a debugger's commands: base/shown.h would escape nothing of it
 * but tabs, and there is no backslash at its end, with which gdb would take the next line for its
 * continuation. */
bool xs_quote_is_line(const char *text);
/* Whether a text is a variable or a leaf of one, and no other expression: `a`, `s.f[2].g`,
 * `n::x`. */
bool xs_quote_is_variable(const char *text);
/* Whether a text is one identifier. */
bool xs_quote_is_name(const char *text);

#endif
