/* twin_tell.h - what two DWARFs of the same code say differently becomes a violation, or is left
 * with a reason. */
#ifndef ORA_TWIN_TELL_H
#define ORA_TWIN_TELL_H

#include "oracle/truth/twins.h"

#define ORA_T1          "T1"
#define ORA_T2          "T2"
#define ORA_T3          "T3"
#define ORA_TWIN_LEAVES "leaves at stops"
#define ORA_TWIN_PLACES "addresses"

/* A case that has ended, of a leaf of a pair. */
void ora_twin_tell_case(struct ora_check_twins *twins, const struct ora_twin *twin,
	const struct ora_twin_pair *pair, const char *path, const struct ora_twin_case *one);
/* T3: something else is said of a leaf. */
void ora_twin_tell_leaf(struct ora_check_twins *twins, const struct ora_twin *twin,
	const struct ora_twin_pair *pair, const char *path, const struct ora_stop *stop,
	const struct ora_twin_said said[2]);
/* T3: something else is said of a place. why: a word for a signature; texts: what each says. */
void ora_twin_tell_place(struct ora_check_twins *twins, const struct ora_twin *twin,
	const struct ora_stop *stop, const char *why, const char *first, const char *second);

#endif
