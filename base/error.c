#include "base/error.h"

#include <errno.h>
#include <stdarg.h>

#include "base/alloc.h"

static struct xs_error *error_owning(enum xs_error_code code, char *message)
{
	struct xs_error *err = xs_calloc(1, sizeof *err);
	err->code = code;
	err->message = message;
	return err;
}

struct xs_error *xs_error_create(const char *format, ...)
{
	va_list args;
	va_start(args, format);
	struct xs_error *err = error_owning(XS_ERROR_OTHER, xs_vasprintf(format, args));
	va_end(args);
	return err;
}

struct xs_error *xs_error_corrupt(const char *format, ...)
{
	va_list args;
	va_start(args, format);
	struct xs_error *err = error_owning(XS_ERROR_CORRUPT, xs_vasprintf(format, args));
	va_end(args);
	return err;
}

struct xs_error *xs_error_busy(const char *format, ...)
{
	va_list args;
	va_start(args, format);
	struct xs_error *err = error_owning(XS_ERROR_BUSY, xs_vasprintf(format, args));
	va_end(args);
	return err;
}

struct xs_error *xs_error_sys(const char *format, ...)
{
	int number = errno;
	va_list args;
	va_start(args, format);
	XS_AUTO_FREE char *what = xs_vasprintf(format, args);
	va_end(args);
	struct xs_error *err =
		error_owning(XS_ERROR_SYSTEM, xs_asprintf("%s: %s", what, strerror(number)));
	err->number = number;
	return err;
}

struct xs_error *xs_error_context(struct xs_error *err, const char *format, ...)
{
	if (!err)
		return NULL;
	va_list args;
	va_start(args, format);
	XS_AUTO_FREE char *context = xs_vasprintf(format, args);
	va_end(args);
	XS_AUTO_FREE char *inner = err->message;
	err->message = xs_asprintf("%s: %s", context, inner);
	return err;
}

bool xs_error_catch(struct xs_error **err, enum xs_error_code code)
{
	if (!*err || (*err)->code != code)
		return false;
	xs_error_destroy(*err);
	*err = NULL;
	return true;
}

void xs_error_destroy(struct xs_error *err)
{
	if (!err)
		return;
	free(err->message);
	free(err);
}

void xs_assert_failed(const char *file, int line, const char *condition)
{
	fprintf(stderr, "xstep: bug at %s:%d: not (%s)\n", file, line, condition);
	abort();
}
