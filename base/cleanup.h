/* cleanup.h - scope guards, so that no function needs goto to let go of what it holds.
 *
 * A guarded local is released when its scope ends, whichever way. To hand the thing out, assign it
 * and take it from the guard: `*ret = xs_take(&thing);`. Guards run on NULL too, so every
 * `x_destroy(NULL)` must be harmless. */
#ifndef XS_CLEANUP_H
#define XS_CLEANUP_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define XS_MUST_CHECK     __attribute__((warn_unused_result))
#define XS_PRINTF(fmt, a) __attribute__((format(printf, fmt, a)))

/* `XS_AUTO(di_module) mod = NULL;` calls di_module_destroy(mod) at the end of the scope. The type
 * needs XS_DEFINE_CLEANUP(di_module) once, under its _destroy. */
#define XS_AUTO(type) __attribute__((cleanup(type##_cleanup))) struct type *
#define XS_DEFINE_CLEANUP(type)                                                                    \
	static inline void type##_cleanup(struct type **guarded)                                   \
	{                                                                                          \
		type##_destroy(*guarded);                                                          \
	}                                                                                          \
	struct type

#define XS_AUTO_FREE  __attribute__((cleanup(xs_cleanup_free)))  /* malloc()ed memory */
#define XS_AUTO_CLOSE __attribute__((cleanup(xs_cleanup_close))) /* int fd, -1 for none */
#define XS_AUTO_FILE  __attribute__((cleanup(xs_cleanup_file)))  /* FILE *, NULL for none */

static inline void xs_cleanup_free(void *guarded)
{
	void *memory;
	memcpy(&memory, guarded, sizeof memory);
	free(memory);
}

static inline void xs_cleanup_close(int *fd)
{
	if (*fd >= 0)
		close(*fd);
}

static inline void xs_cleanup_file(FILE **file)
{
	if (*file)
		fclose(*file);
}

/* The pointer that the guard at guarded holds, which from now on holds NULL. */
static inline void *xs_take(void *guarded)
{
	void *pointer, *none = NULL;
	memcpy(&pointer, guarded, sizeof pointer);
	memcpy(guarded, &none, sizeof none);
	return pointer;
}

#endif
