/* memo.h - what was answered about builds. Most options of a compiler change nothing in what it
 * makes of one program: a build with the bytes of an earlier one is not asked about again.
 *
 * Rules:
 * 1. A memo is a folder with a small file for each build. Processes share it: a file is there as a
 *    whole or not at all, and who writes last wins.
 * 2. What nobody could tell is not to be put: a limit of time that was met may not be met again.
 * 3. A memo that cannot be read or written is an empty one. */
#ifndef ORA_MEMO_H
#define ORA_MEMO_H

#include <stdbool.h>

/* The answer that is kept about a program, a file. `rest` is what the answer depends on besides its
 * bytes. False: nothing. */
bool ora_memo_get(const char *folder, const char *program, const char *rest, int *ret);
void ora_memo_put(const char *folder, const char *program, const char *rest, int answer);

#endif
