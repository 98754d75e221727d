/* lost.h - witnesses that were asked and could not tell what was needed: what is found is found
 * without their word, and whoever reads it is told so. */
#ifndef ORA_LOST_H
#define ORA_LOST_H

#include <stdbool.h>

#include "base/vec.h"

struct ora_lost_witness {
	char *witness; /* `gdb` */
	char *why;     /* a sentence without a full stop */
};

struct ora_lost {
	XS_VEC(struct ora_lost_witness) vec; /* a witness may be lost for several reasons */
};

/* Notes one; texts are copied. False: that was known. */
bool ora_lost_add(struct ora_lost *lost, const char *witness, const char *why);
/* All in one text, `gdb: why; lldb: why`, to be freed; NULL: nobody. */
char *ora_lost_text(const struct ora_lost *lost);
void ora_lost_deinit(struct ora_lost *lost);

#endif
