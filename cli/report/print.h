/* print.h - how a trace looks: as text made to be read, or as JSON lines.
 *
 * A printer is told every stop, by a live program or from a store, and writes to a stream that
 * somebody else opened and closes. */
#ifndef CLI_PRINT_H
#define CLI_PRINT_H

#include "oracle/store/told.h"

struct di_module;
struct cli_source; /* the source files it has read */

/* What JSON says of a place, the same at every stop there. */
struct cli_json_place {
	char *pc, *rest;         /* its address; function, file, line and column with their keys */
	size_t pc_len, rest_len; /* of both; 0: not made yet */
};

struct cli_printer {
	FILE *out;               /* where it writes */
	bool vars, frames, regs; /* what is told besides control facts */
	unsigned thread;         /* whose stops they are; 0: that goes without saying */
	bool foreign;            /* JSON has what only debuggers are asked for, too */
	bool shown;              /* of that: what the frame shows */
	bool texts;              /* variables are told as whole texts */

	/* Its own. */
	bool colour;                               /* text with colours */
	int pc_width, function_width, place_width; /* columns of the text */
	struct cli_source *source;                 /* lines to show */
	const struct ora_store_place *last;        /* where the stop before was */
	XS_VEC(struct cli_json_place) places;      /* by their index, as far as they were told */
};

void cli_printer_init(struct cli_printer *printer, FILE *out);
/* Makes the columns of the text wide enough for a function, a file or an address; names may be NULL
 * and the address 0. */
void cli_printer_fit(
	struct cli_printer *printer, const char *function, const char *file, xs_addr address);
/* Makes them wide enough for all that a program's code is called. */
void cli_printer_fit_module(struct cli_printer *printer, const struct di_module *info);
void cli_printer_deinit(struct cli_printer *printer);
void cli_print_text(struct cli_printer *printer, const struct ora_told *stop);
void cli_print_json(struct cli_printer *printer, const struct ora_told *stop);

/* The address of a place as the trace writes it, and the same as JSON; NULL is null. */
void cli_print_pc(FILE *out, const struct ora_store_place *place);
void cli_json_pc(FILE *out, const struct ora_store_place *place);
/* A register as text, `rax=0x1`. */
void cli_print_reg(FILE *out, const struct ora_told_reg *reg);
/* What is said of a leaf, `i = 3` or `i = <optimized-out>`. */
void cli_print_fact(FILE *out, const struct ora_told_fact *fact);
/* `demo.c:12:3`, `-` without a row. */
void cli_print_line(FILE *out, const struct ora_store_place *place);
/* The backtrace, outer frames only: `  < f < main`. */
void cli_print_frames(FILE *out, const struct ora_told *stop);

#endif
