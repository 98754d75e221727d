/* print.h - how a trace looks: as text made to be read, or as JSON lines.
 *
 * A printer is told every stop and writes to a stream that somebody else opened and closes. */
#ifndef CLI_PRINT_H
#define CLI_PRINT_H

#include "dwarf/second.h"
#include "oracle/facts.h"
#include "oracle/record.h"

struct cli_source; /* the source files it has read */

/* What JSON says of a place, the same at every stop there. */
struct cli_json_place {
	char *pc, *rest;         /* its address; function, file, line and column with their keys */
	size_t pc_len, rest_len; /* of both; 0: not made yet */
};

struct cli_printer {
	FILE *out;            /* where it writes */
	bool json;            /* JSON lines instead of text */
	unsigned which;       /* enum di_which: variables to tell */
	bool frames, regs;    /* what else to tell */
	uint64_t max_leaves;  /* of a variable; 0: the default */
	struct xs_error *err; /* what went wrong at a stop, to be taken by the caller */

	/* Its own. */
	bool colour;                               /* text with colours */
	int pc_width, function_width, place_width; /* columns of the text */
	struct cli_source *source;                 /* lines to show */
	const struct ora_place *last;              /* where the stop before was */
	XS_VEC(struct cli_json_place) places;      /* by their index, as far as they were told */
	struct ora_facts *facts;                   /* what was told of variables */
	struct di_view view;                       /* of the stop */
	struct di_second *second;                  /* libunwind, if frames are told */
	struct di_opinion opinion;                 /* what it says of the stop */
	char disagreement[200];                    /* with it; "" if there is none */
	uint64_t registers[DI_REG_GENERAL];        /* as they were told last */
	bool registers_told;                       /* whether they were */
	unsigned changes;                          /* of variables at this stop, so far */
};

/* Fits the columns of the text to what the subject's code is called. */
void cli_printer_init(struct cli_printer *printer, FILE *out, const struct ora_subject *subject);
void cli_printer_deinit(struct cli_printer *printer);
void cli_print_text(struct cli_printer *printer, const struct ora_stop *stop);
void cli_print_json(struct cli_printer *printer, const struct ora_stop *stop);

/* The address of a place as the trace writes it, and the same as JSON; NULL is null. */
void cli_print_pc(FILE *out, const struct ora_place *place);
void cli_json_pc(FILE *out, const struct ora_place *place);

/* Whether a stream should be coloured: a terminal, and nobody minds (NO_COLOR, TERM=dumb). */
bool cli_wants_colour(FILE *out);

#endif
