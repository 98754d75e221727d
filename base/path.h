/* path.h - paths as text. */
#ifndef XS_PATH_H
#define XS_PATH_H

/* What stands behind the last slash: the file's own name. NULL stays NULL. */
const char *xs_base_name(const char *path);

#endif
