/* private.h - files and folders that xstep makes are the user's alone, whatever the umask: they
 * hold what was in a program's memory. One that is there already keeps its mode. */
#ifndef XS_PRIVATE_H
#define XS_PRIVATE_H

#include <stdbool.h>
#include <stdio.h>

/* What open() is given for them. */
enum { XS_PRIVATE_FILE = 0600, XS_PRIVATE_PROGRAM = 0700, XS_PRIVATE_FOLDER = 0700 };

/* Opens a file to be written from its beginning; fresh: it must not be there. NULL and errno if
 * that fails. */
FILE *xs_private_open(const char *path, bool fresh);
/* Makes a folder; as mkdir(). */
int xs_private_folder(const char *path);

#endif
