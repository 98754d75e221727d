/* debuginfod.h - debug files from a debuginfod server.
 *
 * Only if DEBUGINFOD_URLS is set and not empty: xstep never goes to the network unasked. The
 * client library is loaded when it is needed, so that xstep runs without it; it keeps a cache and
 * has its own time limit (DEBUGINFOD_TIMEOUT, 90 seconds without progress). */
#ifndef DI_DEBUGINFOD_H
#define DI_DEBUGINFOD_H

#include <stddef.h>
#include <stdint.h>

/* The path of the debug file with this build-id in the client's cache, to be freed; NULL if there
 * is none. `of` is the file that needs it, for messages. */
char *di_debuginfod_fetch(const char *of, const uint8_t *id, size_t size);

#endif
