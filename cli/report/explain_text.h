/* explain_text.h - how values come out of the DWARF at a place, as text or as JSON. */
#ifndef CLI_EXPLAIN_TEXT_H
#define CLI_EXPLAIN_TEXT_H

#include "oracle/witness/own/visit.h"

struct cli_explain {
	FILE *out; /* where it goes */
	const char *const
		*vars;       /* paths to be explained with the whole working; none: all, briefly */
	size_t var_count;    /* of those */
	uint64_t frame;      /* 0 being the innermost */
	uint64_t max_leaves; /* of a variable; 0: as many as ever */
	bool json;           /* one JSON object instead of text */

	bool absent; /* its own: one that was named is absent */
};

/* Explains what there is at the place that was gone to (ora_visit). */
XS_MUST_CHECK struct xs_error *cli_explain_print(
	struct cli_explain *explain, const struct ora_visit *visit);

#endif
