/* code_text.c - code for people: instructions, functions, and where two of them part. */
#include "oracle/code/code_compare.h"

static void print_content(FILE *out, const uint8_t *content, size_t size, bool string)
{
	putc(string ? '"' : '{', out);
	for (size_t i = 0; i < size && i < 24 && !(string && i + 1 == size); i++)
		if (!string)
			fprintf(out, "%02x", content[i]);
		else if (content[i] >= ' ' && content[i] < 0x7f && content[i] != '"')
			putc(content[i], out);
		else
			fprintf(out, "\\%03o", content[i]);
	fputs(size > 24 + (size_t)string ? "..." : "", out);
	putc(string ? '"' : '}', out);
}

static void print_target(const struct ora_code *code, const struct ora_atom *own,
	const struct ora_target *target, FILE *out)
{
	size_t size;
	int64_t offset = 0;
	const uint8_t *content = ora_code_content(code, target, &size, &offset);
	const struct ora_atom *atom = content ? NULL : ora_code_atom(code, target, &offset);
	if (atom && atom == own && offset)
		return; /* the operand says it */
	fputs("  <", out);
	if (content)
		print_content(out, content, size,
			code->sections.data[target->section].flags & SHF_STRINGS);
	else if (!atom)
		fputs(target->name ? target->name : "?", out);
	else if (atom->name)
		fputs(atom->name, out);
	else
		fprintf(out, "%s+0x%" PRIx64, code->sections.data[atom->section].name, atom->lo);
	offset = atom || content ? offset : target->position;
	if (offset)
		fprintf(out, "%s0x%" PRIx64, offset < 0 ? "-" : "+",
			offset < 0 ? -(uint64_t)offset : (uint64_t)offset);
	putc('>', out);
}

/* Whether an instruction is a jump or call to somewhere else, which the linker fills in. */
static bool leads_away(
	const struct ora_code *code, const struct ora_atom *atom, const struct ora_insn *insn)
{
	int64_t offset = 0;
	return insn->parts.branch && insn->targets &&
	       (ora_code_atom(code, &insn->target[0], &offset) != atom || !offset);
}

void ora_code_text(const struct ora_code *code, const struct ora_atom *atom,
	const struct ora_insn *insn, char *text, size_t size)
{
	char line[ENG_DISASM_TEXT];
	XS_AUTO_FREE char *whole = NULL;
	size_t length;
	const uint8_t *bytes = code->sections.data[atom->section].bytes + insn->at;
	/* Addresses that are counted from the pc stay so, but for labels. */
	eng_disasm_text(bytes, insn->parts.length, code->is_64,
		insn->parts.branch ? insn->at - atom->lo : XS_ADDR_NONE, line);
	if (leads_away(code, atom, insn))
		line[strcspn(line, " ")] = 0;
	FILE *out = open_memstream(&whole, &length);
	fputs(line, out);
	for (unsigned i = 0; i < insn->targets; i++)
		print_target(code, atom, &insn->target[i], out);
	fclose(out);
	snprintf(text, size, "%s", whole);
}

void ora_code_print(const struct ora_code *code, FILE *out)
{
	char text[512];
	for (size_t i = 0; i < code->atoms.len; i++) {
		const struct ora_atom *atom = &code->atoms.data[i];
		if (!atom->code)
			continue;
		fprintf(out, "%s%s:  # %s\n", i ? "\n" : "", atom->name ? atom->name : "(unnamed)",
			code->sections.data[atom->section].name);
		for (size_t k = atom->first; k < atom->end; k++) {
			const struct ora_insn *insn = &code->insns.data[k];
			ora_code_text(code, atom, insn, text, sizeof text);
			fprintf(out, "%6" PRIx64 "  %s\n", insn->at - atom->lo, text);
		}
	}
}

/* --- where two functions part ---------------------------------------------------------------- */

enum { BEFORE = 4, SHOWN = 6, BEHIND = 2 };

/* One line of a comparison; returns whether it was written. */
static bool print_line(const struct ora_code *code, const struct ora_atom *atom, size_t index,
	char mark, FILE *out)
{
	char text[512];
	const struct ora_insn *insn = &code->insns.data[index];
	ora_code_text(code, atom, insn, text, sizeof text);
	fprintf(out, "%c %5" PRIx64 "  %s\n", mark, insn->at - atom->lo, text);
	return !insn->parts.nop;
}

/* `count` instructions from one on; nops are written, too, but counted only if they are what it is
 * about. */
static size_t print_from(const struct ora_code *code, const struct ora_atom *atom, size_t from,
	size_t count, bool nops, char mark, FILE *out)
{
	for (; from < atom->end && count; from++)
		count -= print_line(code, atom, from, mark, out) || nops;
	return from;
}

static void print_data(const struct ora_code *code, const struct ora_atom *atom, uint64_t offset,
	char mark, FILE *out)
{
	const struct ora_code_section *section = &code->sections.data[atom->section];
	fprintf(out, "%c %5" PRIx64 "  %s:", mark, offset, section->name);
	for (uint64_t at = atom->lo + offset, end = at + 16;
		section->bytes && at < end && at < atom->hi; at++)
		fprintf(out, " %02x", section->bytes[at]);
	fprintf(out, "  # %" PRIu64 " bytes\n", atom->hi - atom->lo);
}

void ora_code_difference_print(const struct ora_code_comparison *comparison,
	const struct ora_code_difference *one, FILE *out)
{
	static const char marks[] = "-+";
	if (one->kind == ORA_CODE_DATA || one->kind == ORA_CODE_FUNCTION) {
		for (unsigned side = 0; side < 2; side++)
			if (one->atoms[side] && one->atoms[side]->code)
				print_from(comparison->sides[side], one->atoms[side],
					one->atoms[side]->first, SHOWN, false, marks[side], out);
			else if (one->atoms[side])
				print_data(comparison->sides[side], one->atoms[side], one->offset,
					marks[side], out);
		return;
	}
	if (!one->atoms[0] || !one->atoms[1])
		return;
	size_t index[2];
	for (unsigned side = 0; side < 2; side++)
		index[side] = one->insns[side] == ORA_CODE_NO_INSN ? one->atoms[side]->end
								   : one->insns[side];
	size_t first = one->atoms[0]->first;
	if (index[0] > first + BEFORE)
		first = index[0] - BEFORE;
	for (; first < index[0]; first++)
		print_line(comparison->sides[0], one->atoms[0], first, ' ', out);
	for (unsigned side = 0; side < 2; side++) {
		size_t count = one->met                       ? one->spans[side]
			       : one->kind >= ORA_CODE_TARGET ? 1
							      : SHOWN;
		index[side] = print_from(comparison->sides[side], one->atoms[side], index[side],
			count < SHOWN ? count : SHOWN, one->nops, marks[side], out);
		if (count > SHOWN)
			fprintf(out, "%c        ... %zu more\n", marks[side], count - SHOWN);
	}
	if (one->met && one->spans[1] <= SHOWN)
		print_from(comparison->sides[1], one->atoms[1], index[1], BEHIND, false, ' ', out);
}

const char *ora_code_difference_word(const struct ora_code_comparison *comparison,
	const struct ora_code_difference *one, unsigned side)
{
	bool there = !(one->met && !one->spans[side]) && one->insns[side] != ORA_CODE_NO_INSN;
	return there ? eng_disasm_mnemonic(
			       comparison->sides[side]->insns.data[one->insns[side]].parts.mnemonic)
		     : "-";
}
