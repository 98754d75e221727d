/* extent.h - which lines of a C source are one statement, by its text alone.
 *
 * A compiler gives the code of a statement on several lines to some of them, to others at another
 * level: that one of them was executed says that the statement was, not that the others were not.
 *
 * Rules:
 * 1. A statement ends at `;`, at a `{` or `}` that is a block's, after the parentheses of if, for,
 *    while and switch, after else and do, and after a label. An initialiser's braces end nothing.
 * 2. Comments, literals and preprocessor lines are skipped. Where they stand between two lines of a
 *    statement they belong to it.
 * 3. Lines that share a statement of several lines are one group, known by its first line.
 * 4. What stands after `?`, `&&` or `||`, up to a comma or to where its parentheses end, is
 *    executed on a condition. A line with anything else on it, a word or a literal, is executed if
 *    the statement is. */
#ifndef SRC_EXTENT_H
#define SRC_EXTENT_H

#include "base/map.h"
#include "base/vec.h"

struct src_extents {
	struct xs_map index; /* path -> index, plus 1 */
	XS_VEC(struct src_extent_file {
		XS_VEC(struct src_extent_line {
			uint32_t first; /* of its group, from 0 */
			bool certain;   /* rule 4 */
			bool loop;      /* for, while or do is on it */
			bool whole;     /* and what it repeats ends there, too */
		})
		lines; /* from 0 */
	})
	files;
};

/* The first line of the group that a line is in; the line itself if the file cannot be read. Each
 * file is read once. */
uint32_t src_extent_first(struct src_extents *extents, const char *path, uint32_t line);
/* Whether something on the line is executed if its statement is; false if that is not known. */
bool src_extent_is_certain(struct src_extents *extents, const char *path, uint32_t line);
/* Whether the text of the group that a line is in may write a variable: assigns or counts it, a
 * part of it, or takes its address. It reads the file each time; false if it cannot. */
bool src_extent_may_write(
	struct src_extents *extents, const char *path, uint32_t line, const char *name);
/* Whether a variable may have several values, one after the other, within a line of that group:
 * its text writes it more than once, or in a loop that is on that line as a whole. It reads the
 * file each time; false if it cannot. */
bool src_extent_may_pass(
	struct src_extents *extents, const char *path, uint32_t line, const char *name);
/* How many lines a file has; 0 if it cannot be read. */
uint32_t src_extent_lines(struct src_extents *extents, const char *path);
/* Whether a loop begins on the line, or the condition of one ends it there. */
bool src_extent_is_loop(struct src_extents *extents, const char *path, uint32_t line);
void src_extents_deinit(struct src_extents *extents);

/* For tests: the groups of a text. */
void src_extent_read(const char *text, size_t size, struct src_extent_file *ret);

#endif
