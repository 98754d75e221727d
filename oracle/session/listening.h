/* listening.h - a socket that clients connect to: [HOST]:PORT, unix:PATH, or one in a temporary
 * folder. A unix socket is its user's alone. */
#ifndef ORA_LISTENING_H
#define ORA_LISTENING_H

#include <stdbool.h>

#include "base/error.h"

struct ora_listening {
	int fd;         /* the socket; -1: none */
	char *name;     /* where it is, as a client writes it */
	char *path;     /* of a file that goes with it; NULL: none */
	char *folder;   /* that goes with it, too; NULL: none */
	bool is_unix;   /* else TCP */
	bool is_shared; /* TCP of this machine: each of its users may reach it */
	bool is_open;   /* others than this machine may reach it */
};

/* Begins to listen; text NULL: in a temporary folder; port 0 is any that is free. To be ended
 * whatever it returns. An error does not name the place: the caller knows how the user wrote it. */
XS_MUST_CHECK struct xs_error *ora_listening_begin(const char *text, struct ora_listening *ret);
/* Waits for a client and returns its socket; -1 if the run was interrupted. */
int ora_listening_accept(const struct ora_listening *listening);
/* Harmless on one whose fd is -1. */
void ora_listening_end(struct ora_listening *listening);

#endif
