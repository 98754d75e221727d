/* stored_words.h - what a stored trace ran: the program and its arguments. */
#ifndef ORA_STORED_WORDS_H
#define ORA_STORED_WORDS_H

#include "oracle/session/program.h"
#include "oracle/store/store.h"

/* *ret: words up to NULL, to be freed by ora_stored_words_free(). They are somebody's: run them by
 * ora_stored_prepare() only. */
XS_MUST_CHECK struct xs_error *ora_stored_words(const struct ora_trace_info *trace, char ***ret);
/* Prepares to run the words of a trace, and none but those:
 * 1. The file is the very one that was traced, byte for byte, when it is looked at and when it has
 *    been launched, before its first instruction.
 * 2. It has debug information. Programs that everybody has, and whose bytes everybody knows, have
 *    none: with arguments that somebody chose they do harm. */
XS_MUST_CHECK struct xs_error *ora_stored_prepare(struct ora_program *program,
	const struct ora_trace_info *trace, char *const *words, struct ora_run *run);
/* Nothing for NULL. */
void ora_stored_words_free(char **words);

#endif
