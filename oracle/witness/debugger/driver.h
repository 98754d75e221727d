/* driver.h - a debugger at work for a testimony: its private folder with the job, its process, and
 * what it says.
 *
 * The folder holds `job` (what the driver is to do), `command` (a page in which the driver notes
 * the last command it gave), and `output` (the program's). It goes with the driver. */
#ifndef ORA_DRIVER_H
#define ORA_DRIVER_H

#include "oracle/witness/debugger/helper.h"
#include "oracle/witness/debugger/transcript.h"

#define ORA_DRIVER_PATIENCE 60.0 /* seconds; drivers show that they are alive each second */
/* How many seconds without a sign of life a debugger has. */
double ora_driver_patience(const struct ora_testimony *testimony);

enum { ORA_DRIVER_SAID = 8192 }; /* bytes of what the debugger said last */

/* Zero-initialised but for the testimony, and -1 for output. */
struct ora_driver {
	struct ora_testimony *testimony;
	struct ora_transcript *transcript; /* where its lines go; may be set when they come */
	bool shared;                       /* it looks at xstep's process, see shared.h */
	char folder[96];                   /* "" until it is made */
	struct ora_helper helper;          /* the debugger */
	struct eng_steady *steady;         /* who answers the program's questions; or NULL */
	int output;                        /* of the program, to be read; -1: none */
	XS_VEC(char) line;                 /* what has come of the next line */
	char said[ORA_DRIVER_SAID + 1];    /* the end of what the debugger said */
	size_t said_len;
	bool over;  /* the sink has had enough */
	bool ended; /* there was a line of the kind `end` */
};

/* Makes the folder and what is in it. */
XS_MUST_CHECK struct xs_error *ora_driver_prepare(struct ora_driver *driver);
/* Starts the debugger with its driver. */
XS_MUST_CHECK struct xs_error *ora_driver_start(struct ora_driver *driver);
/* Ends the debugger, if it is there, and removes the folder. */
void ora_driver_deinit(struct ora_driver *driver);
/* The path of a file in the folder, to be freed. */
char *ora_driver_path(const struct ora_driver *driver, const char *name);
/* A line of the driver's, without its end; *kind belongs to it. */
XS_MUST_CHECK struct xs_error *ora_driver_parse(
	struct ora_driver *driver, const char *text, size_t size, const char **kind, json_t **ret);
/* Passes it on to the transcript; it stays the caller's. */
XS_MUST_CHECK struct xs_error *ora_driver_pass_on(
	struct ora_driver *driver, const char *kind, json_t *line);
/* Takes what the debugger says: it goes nowhere; the end of it is kept, for it may be its last
 * words. */
void ora_driver_hear_said(struct ora_driver *driver);
/* Puts the debugger's end, if it was not a good one, into the testimony as trouble. */
void ora_driver_tell_end(struct ora_driver *driver, bool hung);

/* The folder of the drivers: beside the installed program, or in the source tree. To be freed. */
XS_MUST_CHECK struct xs_error *ora_driver_scripts(char **ret);

#endif
