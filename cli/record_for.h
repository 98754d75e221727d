/* record_for.h - records for the sessions of oracle/ what they need, as the user's options say. */
#ifndef CLI_RECORD_FOR_H
#define CLI_RECORD_FOR_H

#include "cli/record.h"
#include "oracle/session/recorder.h"

/* The options must outlive it; they stay as they are. */
struct ora_recorder cli_record_for(const struct cli_record *options);

#endif
