/* settings.h - what a campaign is about, as its file keeps it: texts by name, which are the
 * options of `xstep campaign run`.
 *
 * Continuing needs no repetition. What is given again must be what it was, or extend it: more
 * seeds, more mutants. Anything else would make one campaign of two. How many workers there are,
 * how long an oracle may take, and whether causes are looked for afterwards, is free. */
#ifndef ORA_SETTINGS_H
#define ORA_SETTINGS_H

#include "base/addr.h"
#include "base/error.h"

enum ora_setting {
	ORA_SET_GENERATE,        /* the generator's template; "": none */
	ORA_SET_SEEDS,           /* for it: `1-200,300` */
	ORA_SET_SOURCES,         /* a folder of sources, its path; "": none */
	ORA_SET_MUTATE,          /* mutants of each program */
	ORA_SET_PROBES,          /* of each, so many with probes planted */
	ORA_SET_COMPILERS,       /* by commas */
	ORA_SET_LEVELS,          /* by commas; the first is what programs are tried with */
	ORA_SET_FLAGS,           /* for all builds, by blanks */
	ORA_SET_ORACLES,         /* by commas */
	ORA_SET_WITNESS,         /* of diff; "": all three */
	ORA_SET_SAMPLE,          /* which stops diff looks at; "": as it does by itself */
	ORA_SET_NO_SANITIZE,     /* `yes`: programs are not tried with sanitizers */
	ORA_SET_MAX_SOURCE,      /* bytes of a source */
	ORA_SET_MAX_STEPS,       /* instructions of its own that a program executes */
	ORA_SET_LANGUAGE,        /* of the programs: see campaign_language.h */
	ORA_SET_RUN_SECONDS,     /* that a program may take by itself */
	ORA_SET_COMPILE_SECONDS, /* that a compiler or a generator may take */
	ORA_SET_JOB_SECONDS,     /* that an oracle may take */
	ORA_SET_MEMORY,          /* MiB that a job may use */
	ORA_SET_OUTPUT,          /* MiB that it may print */
	ORA_SET_JOBS,            /* workers */
	ORA_SET_DEBUGGERS,       /* `kept`, or `fresh`: started for each job */
	ORA_SET_REDUCE,          /* `yes`: the smallest case of each signature is made small */
	ORA_SET_CULPRIT,         /* `yes`: what it depends on is looked for */
	ORA_SET_CAUSE_MINUTES,   /* that each of these may take */
	ORA_SETTINGS,
};

struct ora_settings {
	char *value[ORA_SETTINGS]; /* NULL: not given */
};

/* The name of one, as on the command line. */
const char *ora_setting_name(enum ora_setting setting);
/* Whether results depend on it; what limits of time cut off is not counted. */
bool ora_setting_decides(enum ora_setting setting);
/* Whether `given` may go on with `kept`; it becomes all that is in force: what it does not say is
 * as kept, or as the default is. kept is NULL for a new campaign. folder is for messages. */
XS_MUST_CHECK struct xs_error *ora_settings_settle(
	struct ora_settings *given, const struct ora_settings *kept, const char *folder);
/* The value of one as a number; 0 if it is none. */
uint64_t ora_setting_number(const struct ora_settings *settings, enum ora_setting setting);
void ora_settings_deinit(struct ora_settings *settings);

/* Reads `1-200,300`. */
XS_MUST_CHECK struct xs_error *ora_seeds_parse(const char *text, struct xs_ranges *ret);
/* The same numbers, as short as that can be written; to be freed. */
char *ora_seeds_text(const struct xs_ranges *seeds);
/* Both together; to be freed. Both can be read. */
char *ora_seeds_join(const char *one, const char *other);

#endif
