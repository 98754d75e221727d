#include "oracle/store/checked.h"

bool ora_checked_is_null(const struct ora_checked *row, int column)
{
	return sqlite3_column_type(row->statement, column) == SQLITE_NULL;
}

uint64_t ora_checked_bits(struct ora_checked *row, int column)
{
	if (sqlite3_column_type(row->statement, column) == SQLITE_INTEGER)
		return (uint64_t)sqlite3_column_int64(row->statement, column);
	row->wrong = "something else where a number should be";
	return 0;
}

uint64_t ora_checked_bits_or_null(struct ora_checked *row, int column)
{
	return ora_checked_is_null(row, column) ? 0 : ora_checked_bits(row, column);
}

uint64_t ora_checked_number(struct ora_checked *row, int column, uint64_t max)
{
	uint64_t number = ora_checked_bits(row, column);
	if (number <= max)
		return number;
	row->wrong = "a number out of range";
	return 0;
}

uint64_t ora_checked_number_or_null(struct ora_checked *row, int column, uint64_t max)
{
	return ora_checked_is_null(row, column) ? 0 : ora_checked_number(row, column, max);
}

const char *ora_checked_long_text_or_null(struct ora_checked *row, int column)
{
	if (ora_checked_is_null(row, column))
		return NULL;
	if (sqlite3_column_type(row->statement, column) != SQLITE_TEXT) {
		row->wrong = "something else where a text should be";
		return "";
	}
	/* In this order: the length is that of the converted text. */
	const char *text = ora_column_text(row->statement, column);
	int size = sqlite3_column_bytes(row->statement, column);
	if (text && strlen(text) == (size_t)size)
		return text;
	row->wrong = "a text with a NUL in it";
	return "";
}

const char *ora_checked_text_or_null(struct ora_checked *row, int column)
{
	const char *text = ora_checked_long_text_or_null(row, column);
	if (!text || strlen(text) <= ORA_STORE_TEXT_MAX)
		return text;
	row->wrong = "a text of more than a megabyte";
	return "";
}

const char *ora_checked_text(struct ora_checked *row, int column)
{
	const char *text = ora_checked_text_or_null(row, column);
	if (text)
		return text;
	row->wrong = "nothing where a text should be";
	return "";
}
