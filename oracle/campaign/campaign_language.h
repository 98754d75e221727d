/* campaign_language.h - the languages that a campaign's programs can be in, one row each: how
 * sources end, which compilers there are, and how each is called.
 *
 * Levels are -O0, -O2 and so on for all of them; rustc's words for these are made here. */
#ifndef ORA_CAMPAIGN_LANGUAGE_H
#define ORA_CAMPAIGN_LANGUAGE_H

#include <stdbool.h>

#include "oracle/campaign/command_line.h"
#include "oracle/campaign/settings.h"

/* As bits, for tables that say which they take. */
enum ora_language_bit {
	ORA_LANGUAGE_C = 1,
	ORA_LANGUAGE_CPP = 2,
	ORA_LANGUAGE_RUST = 4,
	ORA_LANGUAGE_ANY = 7,
};

struct ora_language {
	const char *name;  /* as --language has it */
	const char *title; /* as one writes it */
	enum ora_language_bit bit;
	const char *ending;          /* of a campaign's own copies, with its dot */
	const char *const *endings;  /* of sources, up to NULL */
	const char *const *families; /* of compilers, up to NULL: the newest of each is taken */
	const char *usual;           /* what all builds have, unless the flags say it; "": none */
	const char *usual_begins;    /* how a flag begins that says it */
	const char *trial;           /* a program that only a compiler of it builds */
	bool sanitizers;             /* its compilers have ASan and UBSan */
};

/* Ends with a NULL name. */
extern const struct ora_language ora_languages[];

/* NULL: there is none of that name. */
const struct ora_language *ora_language_find(const char *name);
/* That of a campaign; C if its settings do not say. */
const struct ora_language *ora_language_of(const struct ora_settings *settings);
/* Whether a file is a source in it, by its name. */
bool ora_language_has(const struct ora_language *language, const char *file);
/* `.cc, .cpp, .cxx or .C`; to be freed. */
char *ora_language_endings(const struct ora_language *language);
/* A level as its compilers take it: `-O2`, or `-C opt-level=2`. */
void ora_language_level(
	const struct ora_language *language, const char *level, struct ora_command *line);
/* Adds what makes a compiler write debug information and no warnings. */
void ora_language_begin(const struct ora_language *language, struct ora_command *line);

#endif
