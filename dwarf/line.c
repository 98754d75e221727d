#include "dwarf/line.h"

#include "base/search.h"

void di_lines_deinit(struct di_lines *lines)
{
	for (size_t i = 0; i < lines->files.len; i++)
		free(lines->files.data[i]);
	xs_vec_deinit(&lines->files);
	xs_vec_deinit(&lines->rows);
	xs_vec_deinit(&lines->sequences);
	di_line_store_destroy(lines->store);
	lines->store = NULL;
}

const struct di_row *di_lines_find(const struct di_lines *lines, xs_addr pc)
{
	const struct di_sequence *sequences = lines->sequences.data;
	size_t i;
	xs_search(i, 0, lines->sequences.len, sequences[i].lo <= pc);
	/* Sequences should not overlap; where they do, the one that begins last wins. */
	for (; i > 0 && sequences[i - 1].reach > pc; i--) {
		const struct di_sequence *sequence = &sequences[i - 1];
		if (pc >= sequence->hi)
			continue;
		di_lines_keep(lines, sequence);
		const struct di_row *rows = lines->rows.data + sequence->first;
		size_t count = sequence->end - sequence->first - 1; /* not the end_sequence */
		size_t k;
		xs_search(k, 0, count, rows[k].address <= pc);
		return &rows[k - 1];
	}
	return NULL;
}

const char *di_lines_file(const struct di_lines *lines, const struct di_row *row)
{
	return row->file < lines->files.len ? lines->files.data[row->file] : NULL;
}
