/* print.h - how a trace looks: as text made to be read, or as JSON lines.
 *
 * A printer is told every stop and writes to a stream that somebody else opened and closes. */
#ifndef CLI_PRINT_H
#define CLI_PRINT_H

#include "oracle/record.h"

struct cli_source; /* the source files it has read */

struct cli_printer {
	FILE *out;                                 /* where it writes */
	bool colour;                               /* text only: with colours */
	int pc_width, function_width, place_width; /* text only: columns */
	struct cli_source *source;                 /* text only: lines to show */
	const struct ora_place *last;              /* text only: where the stop before was */
};

/* Fits the columns of the text to what the subject's code is called. */
void cli_printer_init(struct cli_printer *printer, FILE *out, const struct ora_subject *subject);
void cli_printer_deinit(struct cli_printer *printer);
void cli_print_text(struct cli_printer *printer, const struct ora_stop *stop);
void cli_print_json(struct cli_printer *printer, const struct ora_stop *stop);

/* Whether a stream should be coloured: a terminal, and nobody minds (NO_COLOR, TERM=dumb). */
bool cli_wants_colour(FILE *out);

#endif
