/* placing.h - files in a folder that several machines read and write at the same time, as a share
 * of a cluster is.
 *
 * Rules:
 * 1. Nothing is written in place. A file is written under a name that nobody else takes, and
 *    renamed: it is there whole, or not at all.
 * 2. Whoever writes the same file at the same time does no harm: the last one's stays.
 * 3. What somebody left who was killed has a name that ends in `.part`, and is never read. The next
 *    process on the same machine removes it.
 * 4. What others rely on has reached the disk before it is renamed (ora_place_firmly). The rest
 *    can be made again. */
#ifndef ORA_PLACING_H
#define ORA_PLACING_H

#include "base/error.h"

/* A name for what is to become `path`, beside it; to be freed. */
char *ora_place_part(const char *path);
/* Renames that to path, once its bytes have reached the disk: rule 4. After an error it is gone. */
XS_MUST_CHECK struct xs_error *ora_place_firmly(const char *part, const char *path);
/* Puts a copy of a file there, or a text. */
XS_MUST_CHECK struct xs_error *ora_place_copy(const char *from, const char *path);
XS_MUST_CHECK struct xs_error *ora_place_text(const char *path, const char *text);
/* All that was put into a folder reaches the disk, if that can be had. */
void ora_place_settle(const char *folder);
/* Whether a name is that of something unfinished. */
bool ora_place_is_part(const char *name);
/* Removes what processes of this machine left that are dead. */
void ora_place_sweep(const char *folder);

#endif
