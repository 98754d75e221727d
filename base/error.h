/* error.h - errors as values.
 *
 * A function that can fail returns `struct xs_error *`: NULL is success, anything else is owned by
 * the caller. An error is a bad file, a failed system call, a refused option: something a person
 * must be told. That a variable has no value, or that two debuggers disagree, is data.
 *
 * Messages are lower case, have no full stop, and name the object first:
 * `a.out: .debug_line+0x4c: expected 4 bytes, have 2`. */
#ifndef XS_ERROR_H
#define XS_ERROR_H

#include "base/cleanup.h"

struct xs_error {
	char *message; /* whole, without a newline */
};

/* An error with this message. */
XS_MUST_CHECK struct xs_error *xs_error_create(const char *format, ...) XS_PRINTF(1, 2);
/* An error with this message, followed by what errno says. */
XS_MUST_CHECK struct xs_error *xs_error_sys(const char *format, ...) XS_PRINTF(1, 2);
/* err with "<context>: " before its message; NULL stays NULL. */
XS_MUST_CHECK struct xs_error *xs_error_context(struct xs_error *err, const char *format, ...)
	XS_PRINTF(2, 3);
void xs_error_destroy(struct xs_error *err);
XS_DEFINE_CLEANUP(xs_error);

/* A bug in xstep: says where and aborts, in every build. */
#define xs_assert(condition)                                                                       \
	((condition) ? (void)0 : xs_assert_failed(__FILE__, __LINE__, #condition))
_Noreturn void xs_assert_failed(const char *file, int line, const char *condition);

#endif
