/* error.h - errors as values.
 *
 * A function that can fail returns `struct xs_error *`: NULL is success, anything else is owned by
 * the caller. An error is a bad file, a failed system call, a refused option: something a person
 * must be told. That a variable has no value, or that two debuggers disagree, is data.
 *
 * A message is for people, a code for callers: one that can go on without something swallows that
 * kind of error, xs_error_catch(&err, XS_ERROR_CORRUPT), and passes all others on.
 *
 * Messages are lower case, have no full stop, and name the object first:
 * `a.out: .debug_line+0x4c: expected 4 bytes, have 2`. */
#ifndef XS_ERROR_H
#define XS_ERROR_H

#include <stdbool.h>

#include "base/cleanup.h"

enum xs_error_code {
	XS_ERROR_OTHER,   /* nobody needs to know more */
	XS_ERROR_SYSTEM,  /* a system call failed: `number` is its errno */
	XS_ERROR_BUSY,    /* somebody else has it; later it may work */
	XS_ERROR_CORRUPT, /* the content of a file makes no sense */
};

struct xs_error {
	enum xs_error_code code; /* what kind; context does not change it */
	int number;              /* errno of a SYSTEM error, else 0 */
	char *message;           /* whole, without a newline */
};

/* An error with this message. */
XS_MUST_CHECK struct xs_error *xs_error_create(const char *format, ...) XS_PRINTF(1, 2);
/* A SYSTEM error: this message, followed by what errno says. */
XS_MUST_CHECK struct xs_error *xs_error_sys(const char *format, ...) XS_PRINTF(1, 2);
/* A CORRUPT one. */
XS_MUST_CHECK struct xs_error *xs_error_corrupt(const char *format, ...) XS_PRINTF(1, 2);
/* A BUSY one. */
XS_MUST_CHECK struct xs_error *xs_error_busy(const char *format, ...) XS_PRINTF(1, 2);
/* err with "<context>: " before its message; NULL stays NULL. */
XS_MUST_CHECK struct xs_error *xs_error_context(struct xs_error *err, const char *format, ...)
	XS_PRINTF(2, 3);
/* Whether *err is of this kind; if so it is swallowed, and *err becomes NULL. */
bool xs_error_catch(struct xs_error **err, enum xs_error_code code);
void xs_error_destroy(struct xs_error *err);
XS_DEFINE_CLEANUP(xs_error);

/* A bug in xstep: says where and aborts, in every build. */
#define xs_assert(condition)                                                                       \
	((condition) ? (void)0 : xs_assert_failed(__FILE__, __LINE__, #condition))
_Noreturn void xs_assert_failed(const char *file, int line, const char *condition);

#endif
