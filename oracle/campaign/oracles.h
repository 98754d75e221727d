/* oracles.h - the oracles that a campaign can ask, one row each: which builds it needs, and the
 * words of xstep that ask it. */
#ifndef ORA_ORACLES_H
#define ORA_ORACLES_H

#include <stdbool.h>

#include "oracle/campaign/campaign_language.h"

/* What a job of an oracle is about. */
enum ora_oracle_need {
	ORA_NEEDS_BUILD,  /* each build */
	ORA_NEEDS_TWO,    /* each optimised build, and the unoptimised one of its compiler */
	ORA_NEEDS_FAMILY, /* all builds of a compiler: a job's level is the unoptimised one */
	ORA_NEEDS_SOURCE, /* the source, for each compiler and level: the oracle builds by itself */
	ORA_NEEDS_PROBES, /* each build of the source with probes planted in it */
};

struct ora_oracle {
	const char *name; /* as --oracles has it */
	enum ora_oracle_need need;
	bool debuggers;           /* asks gdb and lldb */
	unsigned languages;       /* that it can be asked about: bits */
	const char *why_not;      /* and why not about others */
	const char *const *words; /* of xstep, up to NULL; see ora_oracle_words() */
};

/* Ends with a NULL name. */
extern const struct ora_oracle ora_oracles[];
/* The level that programs are not optimised at, which some oracles compare with. */
#define ORA_UNOPTIMISED "-O0"

/* NULL: there is none of that name. */
const struct ora_oracle *ora_oracle_find(const char *name);
/* Their names, by commas and blanks; to be freed. */
char *ora_oracle_names(void);

/* Whether a parser has to know an option of the compiler's. */
bool ora_flag_is_for_parser(const char *flag);
/* Adds --flag and one of these, for each such option of a text that blanks separate. */
void ora_flags_for_parser(struct ora_command *line, const char *flags);

/* What stands for the words in braces. Lists are NULL at their end, and may be NULL. */
struct ora_oracle_case {
	const char *program;     /* {program}: the build */
	const char *unopt;       /* {unopt} */
	const char *const *opts; /* {opts}: one word for each */
	const char *source;      /* {source} */
	const char *compiler;    /* {compiler} */
	const char *level;       /* {level} */
	const struct ora_language *language;
	/* {libs}: --libs -lm, where that is linked. {flags}: -g, the level and these, as one word;
	 * {extra}: --extra and one of these, for each; {parser}: --flag and one of these, for each
	 * that a parser needs. */
	const char *const *flags;
	bool for_people;     /* the report is to be text: without what asks for JSON */
	const char *witness; /* {witness}: --witness and this, unless it is empty */
	const char *sample;  /* {sample}: --sample and this, unless it is empty */
};

/* The command: xstep, and what is to stand behind it. */
void ora_oracle_words(const struct ora_oracle *oracle, const char *xstep,
	const struct ora_oracle_case *one, struct ora_command *ret);

#endif
