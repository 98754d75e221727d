/* answer.h - whether a question about the program has an answer, and if not, why.
 *
 * That a register was not saved, or that an expression is malformed, is a fact about the program's
 * debug information: data, to be stored and compared, and not an xs_error. The two ways of having
 * no answer are different facts and are never merged. */
#ifndef DI_ANSWER_H
#define DI_ANSWER_H

#include <stdbool.h>

#include "base/cleanup.h"

enum di_answer_state {
	DI_ANSWER_KNOWN,         /* there is one; it stands beside the di_answer */
	DI_ANSWER_OPTIMIZED_OUT, /* the program no longer holds it */
	DI_ANSWER_ERROR,         /* the debug information asks for what cannot be done */
};

#define DI_ANSWER_TEXT 256

struct di_answer {
	enum di_answer_state state;
	char reason[DI_ANSWER_TEXT]; /* why not, cut if it is long; "" while known */
};

void di_answer_known(struct di_answer *ret);
/* Both return false, for `return di_answer_error(answer, ...);` in functions that answer or not. */
bool di_answer_gone(struct di_answer *ret, const char *format, ...) XS_PRINTF(2, 3);
bool di_answer_error(struct di_answer *ret, const char *format, ...) XS_PRINTF(2, 3);

#endif
