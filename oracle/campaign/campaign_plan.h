/* campaign_plan.h - a campaign's settings, read: which programs there are to be, which builds of
 * each, which jobs. What it comes to is the same on every machine that has the same compilers. */
#ifndef ORA_CAMPAIGN_PLAN_H
#define ORA_CAMPAIGN_PLAN_H

#include "oracle/campaign/oracles.h"
#include "oracle/campaign/settings.h"
#include "oracle/session/ccmd.h"
#include "oracle/store/campaign_store.h"

#define ORA_SANITIZE "-fsanitize=address,undefined", "-fno-sanitize-recover=all"

struct ora_keepers;

/* A compiler or a debugger, and what it says of itself. */
struct ora_plan_tool {
	char *name, *version;
};

struct ora_plan {
	struct ora_settings settings; /* in force */
	char *folder;                 /* of the campaign, its full path */
	char *xstep;                  /* this very program */

	struct ora_ccmd_words generate; /* the generator's words; none: nothing is generated */
	struct xs_ranges seeds;         /* for it */
	struct ora_ccmd_words sources;  /* files, as paths in the folder of sources, sorted */
	uint64_t mutants, probed;       /* of each of these: mutants, and some with probes */
	XS_VEC(struct ora_compiler) compilers;
	struct ora_ccmd_words levels, flags; /* of optimisation; for all builds */
	const struct ora_compiler
		*sanitizer; /* the first that has ASan and UBSan; NULL: not used */
	XS_VEC(const struct ora_oracle *) oracles;
	XS_VEC(struct ora_plan_tool) tools; /* all that results depend on */
	const struct ora_keepers *keepers;  /* while it runs: who lends debuggers; NULL: nobody */
};

/* Where a program comes from. */
struct ora_origin {
	uint64_t seed;      /* of the generator, if there is no source */
	const char *source; /* a file, as above; NULL: it is generated */
	uint64_t mutant;    /* which one that is made of it, from 1 on; 0: the program itself */
	bool probed;        /* that one has probes planted in it, and nothing else */
};

/* Reads settings that are settled, which become the plan's own, as far as it takes to build a
 * program that is there. */
XS_MUST_CHECK struct xs_error *ora_plan_init(
	struct ora_plan *plan, struct ora_settings *settings, const char *folder);
/* All the rest: which sources there are, which oracles are asked, and whether they can be. */
XS_MUST_CHECK struct xs_error *ora_plan_find_all(struct ora_plan *plan);
void ora_plan_deinit(struct ora_plan *plan);

/* How many programs there are, without mutants; and the number'th of them. */
uint64_t ora_plan_count(const struct ora_plan *plan);
struct ora_origin ora_plan_origin(const struct ora_plan *plan, uint64_t number);
/* `seed 17 mutant 1`, `seed 17 probes 1`; and the same so that it sorts. To be freed. */
char *ora_origin_text(const struct ora_origin *origin);
char *ora_origin_rank(const struct ora_origin *origin);
/* The words that generate a program. */
void ora_plan_generator(const struct ora_plan *plan, uint64_t seed, struct ora_command *ret);

/* The jobs that a program has once it is built, to be done. One with probes in it is not asked
 * about by the oracle that plants some: that is a job of the program itself. */
void ora_plan_jobs(const struct ora_plan *plan, bool probed, struct ora_campaign_program *program);
/* A compiler by its name; NULL: there is none. */
const struct ora_compiler *ora_plan_compiler(const struct ora_plan *plan, const char *name);
/* The file name of a build: PROGRAM.COMPILER-LEVEL; to be freed. */
char *ora_build_name(const char *program, const char *compiler, const char *level);
/* Paths of a campaign's files, to be freed: of a program's source, and of a build or, if name is
 * NULL, the folder of all builds of a program. */
char *ora_source_path(const char *folder, const char *program);
char *ora_build_path(const char *folder, const char *program, const char *name);
/* Whether a text can be the id of something: what is read from a file may be anything. */
bool ora_is_id(const char *text);
/* All words that follow a compiler's path: for a build at a level, of a source. program_flags are
 * by blanks. */
void ora_plan_compile(const struct ora_plan *plan, const char *level, const char *program_flags,
	const char *source, const char *output, struct ora_command *line);

#endif
