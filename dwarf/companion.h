/* companion.h - whether a file holds debug information of files that are known: a separate debug
 * file, a supplementary one (dwz), split units (.dwo, .dwp).
 *
 * Names prove nothing, ids do: a build-id that a known file has or asks for, the CRC of
 * .gnu_debuglink, the dwo_id of a skeleton. A companion that becomes known leads to further ones:
 * program, its debug file, that one's dwz file. */
#ifndef DI_COMPANION_H
#define DI_COMPANION_H

#include <stdbool.h>
#include <stdint.h>

#include "base/map.h"
#include "base/vec.h"

struct di_companion_id {
	uint8_t bytes[64];
	size_t size;
};

/* Zero-initialised: nothing is known. */
struct di_companions {
	XS_VEC(struct di_companion_id) ids; /* build-ids */
	struct xs_map crcs;                 /* of .gnu_debuglink */
	struct xs_map units;                /* dwo_ids */
};

/* From now on that file is known. What is no ELF file has no companions. */
void di_companions_add(struct di_companions *companions, const char *path);
bool di_companions_has(const struct di_companions *companions, const char *path);
void di_companions_deinit(struct di_companions *companions);

#endif
