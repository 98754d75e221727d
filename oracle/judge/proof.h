/* proof.h - what was looked at once more before anybody is named.
 *
 * xstep runs the program again to the stop, reads the DWARF there once more, and then makes the
 * known mistakes of debuggers on purpose, one at a time. The plain debuggers are asked in a session
 * of their own. Whoever does that fills this; the judge only weighs it. */
#ifndef ORA_PROOF_H
#define ORA_PROOF_H

#include "base/vec.h"
#include "dwarf/mistake.h"
#include "oracle/judge/compare.h"

/* What xstep says if it makes one mistake, and that is not what it says without it. */
struct ora_model {
	enum di_mistake mistake;
	enum ora_state state;
	char *value; /* canonical; NULL without one */
};

struct ora_proof {
	bool looked;                     /* xstep was at the stop once more */
	bool own;                        /* and says what its trace says */
	XS_VEC(struct ora_model) models; /* what the mistakes come to */
	bool written;                    /* a caller's register was, since its call */
	char *bytes;                     /* what the location is described by, quoted; or NULL */
	unsigned asked;                  /* mask of traces: plain debuggers that were asked */
	unsigned again;                  /* and that say the same again */
	char *words[ORA_COMPARE_MAX];    /* what they printed; NULL: nothing */
};

static inline void ora_proof_deinit(struct ora_proof *proof)
{
	for (size_t i = 0; i < proof->models.len; i++)
		free(proof->models.data[i].value);
	xs_vec_deinit(&proof->models);
	free(proof->bytes);
	for (size_t w = 0; w < ORA_COMPARE_MAX; w++)
		free(proof->words[w]);
}

#endif
