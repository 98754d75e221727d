/* why.h - why a question about the program has no answer: a value, with its operands.
 *
 * Whoever finds out says it by a code and by what the words for it need. Whoever decides by it asks
 * for the code. Nobody makes words before somebody reads them (words.h), and nobody reads the words
 * to find out the reason.
 *
 * Operands point to what lives as long as the module (names, sections), or to what the asker passed
 * (a path): a reason may be kept as long as these. */
#ifndef DI_WHY_H
#define DI_WHY_H

#include <stdbool.h>

#include "dwarf/wide.h"

/* The words of why_list.h say what each one means. */
enum di_why_code {
#define WHY(code, name, words) DI_WHY_##code,
#include "dwarf/why_list.h"
#undef WHY
	DI_WHY_COUNT,
};

enum { DI_WHY_NUMBERS = 4, DI_WHY_TEXTS = 3 };

struct di_why {
	enum di_why_code code;           /* NONE: there is nothing to say */
	uint64_t number[DI_WHY_NUMBERS]; /* operands, in the order of the words */
	const char *text[DI_WHY_TEXTS];  /* likewise */
	struct di_wide wide;             /* likewise */
};

/* The name that a code has in stores: `register-not-saved`. */
const char *di_why_name(enum di_why_code code);
/* The code of that name; NONE for NULL, and for a name that is not known. */
enum di_why_code di_why_named(const char *name);

#endif
