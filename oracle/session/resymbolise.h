/* resymbolise.h - asks a plain symboliser again, about one address: what reproduce.h does with
 * debuggers. There is no way to find and nothing to run: the command that is printed is the one
 * that is given. */
#ifndef ORA_RESYMBOLISE_H
#define ORA_RESYMBOLISE_H

#include "oracle/session/reproduce.h"

/* Asks what is in reproducing->asked, one command each. */
void ora_resymbolise(struct ora_reproducing *reproducing);
/* The command for a shell, `addr2line -afi -e ./demo 0x1139`, to be freed; called: as the
 * symboliser is to be called. */
char *ora_resymbolise_line(
	enum ora_witness_kind kind, const char *called, const char *program, xs_addr pc);

#endif
