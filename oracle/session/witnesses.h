/* witnesses.h - who can be asked here: xstep, and the debuggers and symbolisers that are found. */
#ifndef ORA_WITNESSES_H
#define ORA_WITNESSES_H

#include "oracle/witness/witness.h"

/* xstep, and what is on PATH: gdb, lldb and lldb-NN, symbolisers; each program once, whatever its
 * names. Nothing of a kind is one entry with a problem. */
void ora_witnesses_find(struct ora_witnesses *ret);
/* The one that a word means: `gdb`, `lldb`, `xstep`, `gdb:print`, `lldb:expression`, `addr2line`,
 * `llvm-symbolizer`, `eu-addr2line`, or one of these but xstep's followed by `@PATH`; path, if not
 * NULL, stands for a missing @PATH. A name without a slash is looked for on PATH. A program that is
 * not there or of no use is a result, with its problem; an unknown word is an error. */
XS_MUST_CHECK struct xs_error *ora_witness_named(
	const char *word, const char *path, struct ora_witness *ret);
/* Which of these paths is for a word; NULL: none. */
const char *ora_witness_path(const char *word, const char *gdb, const char *lldb);
/* All that words mean, `xstep,gdb,lldb@/opt/lldb`; gdb and lldb are paths for those without one. */
XS_MUST_CHECK struct xs_error *ora_witnesses_named(
	const char *words, const char *gdb, const char *lldb, struct ora_witnesses *ret);
/* The words with `all` spelt out: xstep, and the gdb and the lldb that would be asked if they were
 * named, if they work. One that was asked for by its path stays, whatever is wrong with it. Who
 * stands there already is not named twice. *missing: the kinds that are not there, `lldb` or `gdb,
 * lldb`, to be freed; NULL: none, or `all` is not among the words. */
char *ora_witnesses_spell(const char *words, const char *gdb, const char *lldb, char **missing);

#endif
