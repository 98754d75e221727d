/* path.h - paths as text, and where programs are. */
#ifndef XS_PATH_H
#define XS_PATH_H

#include "base/error.h"

/* What stands behind the last slash: the file's own name. NULL stays NULL. */
const char *xs_base_name(const char *path);
/* The path of a program, found on PATH unless its name has a slash in it; to be freed. NULL: there
 * is none. */
char *xs_path_find(const char *name);
/* The path of this very program, to be freed. */
XS_MUST_CHECK struct xs_error *xs_path_self(char **ret);

#endif
