/* printout.h - what a symboliser prints, read as what it says of each address.
 *
 * Rules:
 * 1. What is printed is somebody else's: it is understood as a whole, with an answer for each
 *    address that was asked about, in order, or not at all.
 * 2. An answer that cannot be told apart from another (a file's name with a line break) is not
 *    read: nothing was said then.
 * 3. eu-addr2line may remark behind the innermost function where it is inlined, and then not list
 *    any function around it: that remark is its word then.
 * 4. What a symboliser does not know (`??`, an empty name, line 0 or `?`) is NULL or 0. */
#ifndef ORA_PRINTOUT_H
#define ORA_PRINTOUT_H

#include <stdint.h>

#include "base/addr.h"
#include "base/vec.h"

/* Of eu-addr2line, behind a function (rule 3). */
#define ORA_PRINTOUT_REMARK " inlined at "

/* How a symboliser prints what it says. */
enum ora_dialect {
	ORA_DIALECT_ADDR2LINE, /* address; function, file:line (discriminator N), for each frame */
	ORA_DIALECT_EU,        /* the same, with file:line:column and remarks behind a function */
	ORA_DIALECT_JSON,      /* an array of objects */
};

/* A function at an address: the innermost one at the row of the line table, each other one where
 * it calls the one before. */
struct ora_answer_frame {
	char *function;  /* NULL: unknown */
	char *file;      /* NULL: unknown */
	uint32_t line;   /* 0: unknown, or code of no line */
	uint32_t column; /* 0: unknown */
};

struct ora_answer {
	bool read;                              /* false: rule 2 */
	XS_VEC(struct ora_answer_frame) frames; /* innermost first */
};

struct ora_answers {
	XS_VEC(struct ora_answer) vec; /* by address, as asked */
};

/* Adds the answers for these addresses. False: it is not understood, and nothing was added. */
bool ora_answers_read(enum ora_dialect dialect, const char *text, const xs_addr *pcs, size_t count,
	struct ora_answers *ret);
void ora_answers_deinit(struct ora_answers *answers);

#endif
