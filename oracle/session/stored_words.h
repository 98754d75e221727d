/* stored_words.h - what a stored trace ran: the program and its arguments. */
#ifndef ORA_STORED_WORDS_H
#define ORA_STORED_WORDS_H

#include "oracle/store/store.h"

/* *ret: words up to NULL, to be freed by ora_stored_words_free(). */
XS_MUST_CHECK struct xs_error *ora_stored_words(const struct ora_trace_info *trace, char ***ret);
/* Nothing for NULL. */
void ora_stored_words_free(char **words);

#endif
