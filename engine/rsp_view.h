/* rsp_view.h - what clients of the remote protocol see of a process beside its registers: memory
 * without xstep's own traps, the map of it, and documents (the auxiliary vector, loaded libraries).
 *
 * Rules:
 * 1. Everything here is asked while the followed thread is stopped.
 * 2. The map is read once a stop, and only if somebody asks. */
#ifndef ENG_RSP_VIEW_H
#define ENG_RSP_VIEW_H

#include "engine/process.h"
#include "engine/rsp_packet.h"

/* A line of /proc/PID/maps. */
struct eng_rsp_region {
	xs_addr lo, hi; /* where */
	char rights[5]; /* as there: r-xp */
	size_t name;    /* where its name begins in `names` */
};

struct eng_rsp_view {
	/* Set by the caller. */
	struct eng_process *process;
	const struct xs_ranges *code; /* where traps may have been planted; NULL: nowhere */
	const char *path;             /* of the program */

	/* Its own. */
	XS_VEC(struct eng_rsp_region) regions; /* the map, as it was at... */
	XS_VEC(char) names;
	uint64_t epoch; /* ...this stop (eng_tracee.epoch); 0: never */
};

void eng_rsp_view_deinit(struct eng_rsp_view *view);

/* As many of the bytes as can be read. */
size_t eng_rsp_view_read(struct eng_rsp_view *view, xs_addr addr, void *buffer, size_t size);
/* The region that holds addr, or the hole around it: rights are then empty. */
struct eng_rsp_region eng_rsp_view_region(struct eng_rsp_view *view, xs_addr addr);
/* A document of qXfer by the name of its object, appended. False if there is none of that name.
 * for_lldb: lldb takes the program's entry in the list of libraries for something else. */
bool eng_rsp_view_document(
	struct eng_rsp_view *view, const char *object, bool for_lldb, struct eng_rsp_bytes *to);
/* Where a thread-local variable of the program's own is: its offset in the program's block. map is
 * the loader's entry of the module. False if the module is another one, or has none. */
bool eng_rsp_view_tls(struct eng_rsp_view *view, uint64_t offset, uint64_t map, xs_addr *ret);

#endif
