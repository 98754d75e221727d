/* zstd.h - uncompresses by zstd, which libelf 0.188 does not know. */
#ifndef DI_ZSTD_H
#define DI_ZSTD_H

#include "base/error.h"

#include <stdint.h>

/* The library is loaded when it is first needed, so that nobody else needs it. ret has room for all
 * of size bytes; fewer are an error. */
XS_MUST_CHECK struct xs_error *di_zstd_uncompress(
	const void *from, size_t count, void *ret, size_t size);

#endif
