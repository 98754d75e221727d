/* log.h - what xstep says of itself, by module and level.
 *
 * XSTEP_LOG=engine:debug,all:warn sets the levels; `all:warn` is the default. A module is a folder
 * of the source. Lines go to stderr as `xstep: warning: ...` or `xstep: engine: ...`. A warning is
 * said once, however often it is given. Results and errors do not come this way: they belong to
 * the command that was asked. */
#ifndef XS_LOG_H
#define XS_LOG_H

#include <stdbool.h>

#include "base/cleanup.h"

enum xs_log_module {
	XS_LOG_BASE,
	XS_LOG_ENGINE,
	XS_LOG_DWARF,
	XS_LOG_ORACLE,
	XS_LOG_CLI,
	XS_LOG_MODULES, /* how many there are */
};

enum xs_log_level {
	XS_LOG_ERROR, /* only what ends the run */
	XS_LOG_WARN,  /* the run goes on, weaker than asked */
	XS_LOG_INFO,  /* what was found and chosen */
	XS_LOG_DEBUG, /* every event */
};

/* Reads the levels from spec, the value of XSTEP_LOG (NULL: the default). False if a word of it
 * makes no sense; *bad then points to it. */
bool xs_log_setup(const char *spec, const char **bad);
bool xs_log_enabled(enum xs_log_module module, enum xs_log_level level);
void xs_log(enum xs_log_module module, enum xs_log_level level, const char *format, ...)
	XS_PRINTF(3, 4);

#endif
