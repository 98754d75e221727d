/* rsp_file.h - vFile: clients read files where the process is, to find symbols. Nothing is written.
 * Which ones is for a gate to say. It judges the open file, not its name: whatever links and `..`
 * lead to, and whatever takes the name's place a moment later, what was judged is what is read.
 * What it refuses and what is not there get the same answer. */
#ifndef ENG_RSP_FILE_H
#define ENG_RSP_FILE_H

#include "engine/rsp_packet.h"

enum { ENG_RSP_FILES = 16 }; /* open at a time, for one client */

/* What clients may read. Zero-initialised: nothing. */
struct eng_rsp_gate {
	bool (*file)(void *context, int fd);           /* fd is open as by O_PATH */
	bool (*link)(void *context, const char *path); /* where a symbolic link leads to */
	void *context;                                 /* passed to them */
};

struct eng_rsp_files {
	int fds[ENG_RSP_FILES]; /* plus 1: 0 is none */
};

/* Answers a packet: the text behind `vFile:`. Nothing is appended for what is not supported. */
void eng_rsp_file(struct eng_rsp_files *files, const struct eng_rsp_gate *gate, const char *text,
	struct eng_rsp_bytes *reply);
void eng_rsp_files_deinit(struct eng_rsp_files *files);

#endif
