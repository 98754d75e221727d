/* session.h - a debugger at work for a testimony: its private folder with the job, its process, and
 * what it says.
 *
 * The folder holds `job` (what the driver is to do), `command` (a page in which the driver notes
 * the last command it gave), and `output` (the program's). It goes with the session. */
#ifndef ORA_SESSION_H
#define ORA_SESSION_H

#include "oracle/helper.h"
#include "oracle/testimony.h"

#define ORA_SESSION_PATIENCE 60.0 /* seconds; drivers show that they are alive each second */

enum { ORA_SESSION_SAID = 8192 }; /* bytes of what the debugger said last */

/* Zero-initialised but for the testimony, and -1 for output. */
struct ora_session {
	struct ora_testimony *testimony;
	char folder[64];                 /* "" until it is made */
	struct ora_helper helper;        /* the debugger */
	int output;                      /* of the program, to be read; -1: none */
	XS_VEC(char) line;               /* what has come of the next line */
	char said[ORA_SESSION_SAID + 1]; /* the end of what the debugger said */
	size_t said_len;
	bool over;  /* on_line has had enough */
	bool ended; /* there was a line of the kind `end` */
};

/* Makes the folder and what is in it. */
XS_MUST_CHECK struct xs_error *ora_session_prepare(struct ora_session *session);
/* Starts the debugger with its driver. */
XS_MUST_CHECK struct xs_error *ora_session_start(struct ora_session *session);
/* Ends the debugger, if it is there, and removes the folder. */
void ora_session_deinit(struct ora_session *session);
/* The path of a file in the folder, to be freed. */
char *ora_session_path(const struct ora_session *session, const char *name);
/* A line of the driver's, without its end; *kind belongs to it. */
XS_MUST_CHECK struct xs_error *ora_session_parse(struct ora_session *session, const char *text,
	size_t size, const char **kind, json_t **ret);
/* Passes it on to whoever takes the testimony; it stays the caller's. */
void ora_session_pass_on(struct ora_session *session, const char *kind, json_t *line);
/* Takes what the debugger says: it goes nowhere; the end of it is kept, for it may be its last
 * words. */
void ora_session_hear_said(struct ora_session *session);
/* Puts the debugger's end, if it was not a good one, into the testimony as trouble. */
void ora_session_tell_end(struct ora_session *session, bool hung);

#endif
