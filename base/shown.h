/* shown.h - text that others wrote, as it may stand on a terminal.
 *
 * Names, paths, source lines, values and what debuggers answer are whatever a file says: bytes that
 * a terminal obeys, or that reorder or hide what stands beside them. All that xstep prints as text
 * goes through here, whether it goes to a terminal, a file or a pipe: files are read on terminals,
 * too. Stores keep the exact bytes, and so does JSON.
 *
 *  1. Shown as an escape are: control characters (below U+0020, U+007F, U+0080 to U+009F), bytes
 *     that are not UTF-8, line and paragraph separators, and what has no width or turns the
 *     direction of writing. All else stands for itself, the backslash included.
 *  2. An escape is `\n`, `\r`, `\t`; `\x1b` for a byte; `\u202e` or `\U000e0001` for a character.
 *  3. A text that was made safe is not changed any more: to do it twice does no harm.
 *  4. A line break in such a text is escaped, too. Nobody can forge a line of ours.
 *
 * xs_print() is printf() for all that. Its format is ours, and says where lines end and what is
 * coloured; each %s is somebody's. */
#ifndef XS_SHOWN_H
#define XS_SHOWN_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/cleanup.h"

/* Room for an escape, with its NUL. */
enum { XS_SHOWN_MAX = sizeof "\\U0010ffff" };

/* How many of the first bytes of a text stand for themselves. */
size_t xs_shown_plain(const char *text, size_t size);
/* The escape for what stands at text, where nothing is plain. Returns how many bytes it is for.
 * size is at least 1. *code is the character, or -1 if the one byte is none; code may be NULL. */
size_t xs_shown_escape(const char *text, size_t size, char ret[XS_SHOWN_MAX], int32_t *code);

/* Prints a text. */
void xs_shown_put(FILE *out, const char *text);
void xs_shown_write(FILE *out, const char *text, size_t size);
/* Prints a line of a source file: tabs are kept. */
void xs_shown_line(FILE *out, const char *text, size_t size);
/* Prints several lines, with `before` at the beginning of each; the last one is ended if it is not.
 * An empty text has none. */
void xs_shown_lines(FILE *out, const char *before, const char *text);
/* The text itself, to be freed. */
char *xs_shown_text(const char *text);

/* fprintf(), except that each %s is shown. Widths and precisions count bytes: the precision those
 * of the text, the width those of what is shown. The conversions are d i u x X c s f g p and %. */
void xs_print(FILE *out, const char *format, ...) XS_PRINTF(2, 3);
void xs_vprint(FILE *out, const char *format, va_list args) XS_PRINTF(2, 0);

#endif
