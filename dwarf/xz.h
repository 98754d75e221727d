/* xz.h - uncompresses by xz, up to a limit: libdw would go on for as long as there is memory. */
#ifndef DI_XZ_H
#define DI_XZ_H

#include "base/error.h"

#include <stdint.h>

/* All that the bytes come to, if it is no more than `most`; to be freed. */
XS_MUST_CHECK struct xs_error *di_xz_uncompress(
	const void *from, size_t count, size_t most, uint8_t **ret, size_t *size);

#endif
