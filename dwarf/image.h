/* image.h - debug sections that are no file of their own, as a file that libdw can read.
 *
 * The unit of a package (dwp.h) is made of parts of the package's sections, and an object may hold
 * the sections of a .dwo beside its own. An image is an ELF file in memory with nothing but a table
 * of such parts: their bytes are not copied, and must outlive the image. */
#ifndef DI_IMAGE_H
#define DI_IMAGE_H

#include <elfutils/libdw.h>

#include "base/error.h"

enum { DI_IMAGE_SECTIONS = 12 }; /* at most */

struct di_image {
	Elf *elf;
	Dwarf *dwarf;   /* NULL: not open */
	uint8_t *bytes; /* the file itself */
};

struct di_image_part {
	const char *name; /* of the section: ".debug_info.dwo" */
	const uint8_t *data;
	size_t size;
};

/* Opens an image of count parts, DI_IMAGE_SECTIONS at most. Messages do not name it. */
XS_MUST_CHECK struct xs_error *di_image_open(
	const struct di_image_part *parts, size_t count, struct di_image *ret);
void di_image_deinit(struct di_image *image);

#endif
