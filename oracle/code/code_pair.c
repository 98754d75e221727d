#include "oracle/code/code_pair.h"

#include "dwarf/object.h"

struct xs_error *ora_code_pair_open(
	const char *first, const char *second, struct ora_code_pair *ret)
{
	struct xs_error *err;
	*ret = (struct ora_code_pair){0};
	if ((err = ora_code_open(first, &ret->sides[0])) ||
		(err = ora_code_open(second, &ret->sides[1])) ||
		ora_code_same(ret->sides[0], ret->sides[1], true))
		return err;
	ret->taken_apart = true;
	ora_code_look(ret->sides[0]);
	ora_code_look(ret->sides[1]);
	ora_code_compare(ret->sides[0], ret->sides[1], &ret->comparison);
	return NULL;
}

void ora_code_pair_deinit(struct ora_code_pair *pair)
{
	if (pair->taken_apart)
		ora_code_comparison_deinit(&pair->comparison);
	ora_code_destroy(pair->sides[0]);
	ora_code_destroy(pair->sides[1]);
	*pair = (struct ora_code_pair){0};
}

const struct ora_code_difference *ora_code_pair_worst(const struct ora_code_pair *pair)
{
	return pair->taken_apart ? ora_code_worst(&pair->comparison) : NULL;
}

char *ora_code_pair_context(const struct ora_code_pair *pair, const struct ora_code_difference *one)
{
	char *text = NULL;
	size_t length;
	FILE *out = open_memstream(&text, &length);
	xs_assert(out);
	ora_code_difference_print(&pair->comparison, one, out);
	xs_assert(!fclose(out));
	return text;
}

char *ora_code_pair_instruction(
	const struct ora_code_pair *pair, const struct ora_code_difference *one, unsigned side)
{
	const struct ora_atom *atom = one->atoms[side];
	char text[512] = "";
	if (one->insns[side] != ORA_CODE_NO_INSN && atom && atom->code)
		ora_code_text(pair->sides[side], atom,
			&pair->sides[side]->insns.data[one->insns[side]], text, sizeof text);
	return *text ? xs_strdup(text) : NULL;
}

char *ora_code_pair_words(const struct ora_code_pair *pair, const struct ora_code_difference *one)
{
	return xs_asprintf("%s/%s", ora_code_difference_word(&pair->comparison, one, 0),
		ora_code_difference_word(&pair->comparison, one, 1));
}

void ora_code_pair_count(const struct ora_code_pair *pair, size_t *differ, size_t *all)
{
	const struct ora_code_comparison *comparison = &pair->comparison;
	*differ = 0;
	*all = comparison->functions;
	for (size_t i = 0; i < comparison->differences.len; i++) {
		const struct ora_code_difference *one = &comparison->differences.data[i];
		*differ += one->kind != ORA_CODE_DATA && (one->atoms[0] || one->atoms[1]);
		*all += one->kind == ORA_CODE_FUNCTION;
	}
}

bool ora_code_pair_line(const struct ora_code_pair *pair, const struct ora_code_difference *one,
	const char *second, char **file, uint32_t *line)
{
	XS_AUTO(di_object) object = NULL;
	const struct ora_atom *atom = one->atoms[1];
	if (!atom || !atom->code)
		return false;
	uint64_t at = one->insns[1] == ORA_CODE_NO_INSN
			      ? atom->lo
			      : pair->sides[1]->insns.data[one->insns[1]].at;
	struct xs_error *err = di_object_open(second, &object);
	const struct di_row *row = err ? NULL : di_object_line(object, atom->section, at);
	xs_error_destroy(err);
	if (!row)
		return false;
	const char *name = di_lines_file(&object->lines, row);
	*file = name ? xs_strdup(name) : NULL;
	*line = row->line;
	return true;
}
