/* served.h - which files clients of xstep serve may read: those that symbols are loaded from.
 *
 * Rules:
 * 1. Served are the program and all that is mapped into its process, by device and inode; their
 *    debug files (dwarf/companion.h); and of /proc/PID what says where things are.
 * 2. With `any`, every file that the user can read is.
 * 3. Nothing is served for its name. */
#ifndef ORA_SERVED_H
#define ORA_SERVED_H

#include <sys/stat.h>

#include "dwarf/companion.h"
#include "engine/rsp_file.h"

struct ora_served {
	/* Set by the caller. */
	pid_t pid;                /* of the process */
	bool any;                 /* rule 2 */
	void (*on_refused)(void); /* called once: somebody asked for a file that is not served */

	/* Its own. */
	struct di_companions companions;
	struct xs_map files; /* (device, inode) of those that are served */
	bool has_refused;
};

/* The gate that lets these files through, and no others. Lives as long as `served`. */
struct eng_rsp_gate ora_served_gate(struct ora_served *served);
void ora_served_deinit(struct ora_served *served);

#endif
