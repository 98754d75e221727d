/* checked.h - columns of a row, believed only as far as they are what the schema says.
 *
 * SQLite converts whatever stands in a file into what is asked for. Here a value of another type, a
 * number out of range, a text that is too long or has a NUL in it is remembered as what is wrong
 * with the row, and reads as 0 or "". Whoever reads looks at `wrong` once, behind the last column.
 */
#ifndef ORA_CHECKED_H
#define ORA_CHECKED_H

#include "oracle/store/store_db.h"

struct ora_checked {
	sqlite3_stmt *statement; /* that stands on the row */
	const char *wrong;       /* what is, or NULL */
};

/* A number from 0 to max. */
uint64_t ora_checked_number(struct ora_checked *row, int column, uint64_t max);
/* The same; NULL is 0. */
uint64_t ora_checked_number_or_null(struct ora_checked *row, int column, uint64_t max);
/* Any 64 bits: an address, a seed. */
uint64_t ora_checked_bits(struct ora_checked *row, int column);
uint64_t ora_checked_bits_or_null(struct ora_checked *row, int column);
/* A text of ORA_STORE_TEXT_MAX bytes at most; never NULL. */
const char *ora_checked_text(struct ora_checked *row, int column);
/* The same, or NULL. */
const char *ora_checked_text_or_null(struct ora_checked *row, int column);
/* A text of any length, or NULL. */
const char *ora_checked_long_text_or_null(struct ora_checked *row, int column);
bool ora_checked_is_null(const struct ora_checked *row, int column);

#endif
