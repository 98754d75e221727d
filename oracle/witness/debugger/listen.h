/* listen.h - has a debugger run a program of its own, and listens to its driver to the end. */
#ifndef ORA_LISTEN_H
#define ORA_LISTEN_H

#include "oracle/witness/debugger/transcript.h"

XS_MUST_CHECK struct xs_error *ora_listen(struct ora_transcript *transcript);

#endif
