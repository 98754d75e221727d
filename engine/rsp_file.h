/* rsp_file.h - vFile: clients read files where the process is, to find symbols. Nothing is written.
 */
#ifndef ENG_RSP_FILE_H
#define ENG_RSP_FILE_H

#include "engine/rsp_packet.h"

enum { ENG_RSP_FILES = 16 }; /* open at a time, for one client */

struct eng_rsp_files {
	int fds[ENG_RSP_FILES]; /* plus 1: 0 is none */
};

/* Answers a packet: the text behind `vFile:`. Nothing is appended for what is not supported. */
void eng_rsp_file(struct eng_rsp_files *files, const char *text, struct eng_rsp_bytes *reply);
void eng_rsp_files_deinit(struct eng_rsp_files *files);

#endif
