/* campaign.h - a campaign from its folder to its findings.
 *
 * A folder has campaign.db (oracle/store/campaign_schema.sql), `programs` with the sources,
 * `builds` with the executables of programs that are not finished, and `signatures` with the
 * cases that stand for each, reduced if that was asked for (stages.h). `shards` and `logs` are
 * there if it is cut into shards (shards.h).
 *
 * Rules:
 * 1. What is done is kept at once. Whatever kills a campaign, another run goes on where it was:
 *    what was under way is done again, and nothing else.
 * 2. What is found does not depend on how many workers there are, nor on who is done first.
 * 3. One run at a time works in a folder.
 * 4. Files in the folder are made by a rename, or can be made again. */
#ifndef ORA_CAMPAIGN_H
#define ORA_CAMPAIGN_H

#include "oracle/campaign/campaign_plan.h"
#include "oracle/campaign/pace.h"
#include "oracle/store/campaign_store.h"

/* What a worker is doing. */
struct ora_campaign_doing {
	const char *origin;                 /* of the program */
	const struct ora_campaign_job *job; /* about it; NULL: it is being made */
	/* Of a stage (stages.h): `reducing`, `culprit of`; the origin is the signature. Or NULL. */
	const char *stage;
	double seconds; /* for so long */
};

/* What is told while it runs. */
struct ora_campaign_event {
	/* One of these is what has just happened; all NULL: a moment has passed. */
	const struct ora_campaign_program *program; /* made and filtered */
	const struct ora_campaign_job *job;         /* done; which findings are fresh is said */
	const struct ora_campaign_cause *cause;     /* a stage of it was tried */
	uint64_t fresh;                             /* signatures that it brought */

	/* How far it is. */
	uint64_t programs, all; /* made, of those that are to be (mutants of those made included) */
	uint64_t jobs_known;    /* still to be done, of programs made */
	uint64_t findings, signatures; /* found in this run; new in it */
	struct ora_pace pace;          /* what was done in this run */
	uint64_t causes, causes_all;   /* signatures looked into, of those to be; 0: not yet */
	double left;                   /* seconds; less than 0: nobody knows */
	XS_VEC(struct ora_campaign_doing) workers; /* those at work */
};

struct ora_campaign {
	/* Set by the caller. */
	const char *folder;        /* DIR */
	struct ora_settings given; /* what was said on the command line */
	void (*on_event)(void *context, const struct ora_campaign_event *event);
	void *context;

	/* Found. */
	struct ora_plan plan;
	struct ora_campaign_store *store;
	int signal; /* that ended it early; 0: none */
};

/* Makes a folder with those that a campaign has in it. One that has other things in it and is no
 * campaign is refused. */
XS_MUST_CHECK struct xs_error *ora_campaign_make_folder(const char *folder);
/* The same, and opens the campaign's file in it. */
XS_MUST_CHECK struct xs_error *ora_campaign_open_folder(struct ora_campaign *campaign);
/* Opens the folder, which is made if need be, and settles what the campaign is about. */
XS_MUST_CHECK struct xs_error *ora_campaign_begin(struct ora_campaign *campaign);
/* Does all that is still to be done, or what can be until a signal comes. */
XS_MUST_CHECK struct xs_error *ora_campaign_run(struct ora_campaign *campaign);
/* Puts other campaigns' folders into this one. */
XS_MUST_CHECK struct xs_error *ora_campaign_join(
	struct ora_campaign *campaign, const char *const *others, size_t count);
/* The same with one of many, in a folder that is open; ora_campaign_merged() after the last. */
XS_MUST_CHECK struct xs_error *ora_campaign_join_part(
	struct ora_campaign *campaign, const char *other);
void ora_campaign_deinit(struct ora_campaign *campaign);

/* Opens a campaign's file, to be read. */
XS_MUST_CHECK struct xs_error *ora_campaign_read(
	const char *folder, struct ora_campaign_store **ret);
/* The plan of a campaign that is there, as far as it takes to build one of its programs. */
XS_MUST_CHECK struct xs_error *ora_campaign_plan(
	struct ora_campaign_store *store, const char *folder, struct ora_plan *ret);

#endif
