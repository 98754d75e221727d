/* alloc.h - memory that is there or the program is not.
 *
 * Running out of memory aborts: xstep is a program, not a library, and the kernel then kills what
 * it traces (PTRACE_O_EXITKILL). So no caller checks for NULL. */
#ifndef XS_ALLOC_H
#define XS_ALLOC_H

#include <stdarg.h>
#include <stddef.h>

#include "base/cleanup.h"

void *xs_calloc(size_t count, size_t size);
void *xs_realloc(void *memory, size_t count, size_t size);
char *xs_strdup(const char *text);
char *xs_asprintf(const char *format, ...) XS_PRINTF(1, 2);
char *xs_vasprintf(const char *format, va_list args) XS_PRINTF(1, 0);

#endif
