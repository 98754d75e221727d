/* words.h - reasons in words: the one place where they are made. */
#ifndef DI_WORDS_H
#define DI_WORDS_H

#include "dwarf/answer.h"

#define DI_WORDS 256 /* room for the words; longer ones are cut */

/* The reason alone, `cannot read memory at 0x10`; "" if it is NONE. In buf, which is also
 * returned. */
const char *di_why_text(const struct di_why *why, char buf[static DI_WORDS]);
/* The same with what was being done before it, the outermost first:
 * `.debug_loclists+0x4c: DW_OP_deref at +0x4: cannot read memory at 0x10`. */
const char *di_answer_text(const struct di_answer *answer, char buf[static DI_WORDS]);

#endif
