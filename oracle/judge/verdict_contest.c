/* verdict_contest.c - what the standard leaves open, or a debugger does on purpose.
 *
 * Nobody is wrong in these. They are counted, and listed for who asks. */
#include "base/path.h"
#include "dwarf/gaps.h"
#include "dwarf/language.h"
#include "dwarf/tailcall.h"
#include "dwarf/unit.h"
#include "dwarf/variable.h"
#include "oracle/judge/verdict.h"

const char *ora_contest_text(enum ora_contest contest)
{
	static const char *const texts[] = {
		[ORA_CONTEST_NONE] = "nothing",
		[ORA_CONTEST_ROW] = "which row of an address",
		[ORA_CONTEST_LINE_0] = "rows of line 0",
		[ORA_CONTEST_TAIL_CALL] = "frames of tail calls",
		[ORA_CONTEST_TAIL_VALUE] = "values that tail calls passed",
		[ORA_CONTEST_UNLOCATED] = "variables without a value, listed or not",
		[ORA_CONTEST_LEFTOVER] = "a caller's register that the callee need not preserve",
		[ORA_CONTEST_DECLARATION] = "declarations inside of a function or a class",
		[ORA_CONTEST_CONSTANT] = "members that are said to be constants and objects",
		[ORA_CONTEST_UNFINISHED] = "backtraces that end before main",
		[ORA_CONTEST_COMPRESSED] = "sections compressed by zstd",
		[ORA_CONTEST_WIDE] = "debug information in the 64-bit format",
		[ORA_CONTEST_UNBUILT] = "objects with virtual bases that may not be constructed",
		[ORA_CONTEST_TAG] = "negative tags that the DWARF writes without a sign",
		[ORA_CONTEST_UNCLAIMED] = "code that is in no unit's ranges",
		[ORA_CONTEST_SHARED] = "code of several functions or names",
		[ORA_CONTEST_INLINED] = "the border of an inlined call",
		[ORA_CONTEST_UNDECLARED] = "variables that are not declared yet",
		[ORA_CONTEST_ARTIFICIAL] = "what the compiler made, not listed",
	};
	return texts[contest];
}

/* --- lines ------------------------------------------------------------------------------------ */

/* A row as witnesses tell it, to be freed. */
static char *row_text(const struct di_lines *lines, const struct di_row *row)
{
	const char *file = di_lines_file(lines, row);
	return xs_asprintf("%s:%u", file ? xs_base_name(file) : "", row->line);
}

char *ora_line_text(const struct di_module *module, xs_addr pc)
{
	const struct di_row *row = di_lines_find(&module->lines, pc);
	return row ? row_text(&module->lines, row) : xs_strdup("no row");
}

static bool is_row(const struct di_lines *lines, const struct di_row *row, const char *said)
{
	XS_AUTO_FREE char *text = row_text(lines, row);
	return !strcmp(text, said);
}

/* Whether there is a row before this one in its sequence. */
static bool has_before(const struct di_lines *lines, const struct di_row *row)
{
	return row > lines->rows.data && !row[-1].end_sequence;
}

/* A row of the same address, whichever is chosen; and of what is no statement, or of no line, the
 * last one before that is. */
static enum ora_contest line_contest(
	struct di_module *module, xs_addr pc, const struct ora_said *said)
{
	const struct di_lines *lines = &module->lines;
	const struct di_row *row = di_lines_find(lines, pc);
	if (!said->value)
		return ORA_CONTEST_NONE;
	/* gcc leaves main out of its unit if it merges it with another function. Who looks for the
	 * unit first finds no line. */
	if (row && !strcmp(said->value, "no row") && !di_unit_claims(module, pc))
		return ORA_CONTEST_UNCLAIMED;
	/* A file without a line is what some make of a symbol. */
	if (!row)
		return strlen(said->value) > 2 && !strcmp(strchr(said->value, 0) - 2, ":0")
			       ? ORA_CONTEST_LINE_0
			       : ORA_CONTEST_NONE;
	enum ora_contest contest = row->line ? ORA_CONTEST_ROW : ORA_CONTEST_LINE_0;
	if (!row->line && !strcmp(said->value, "no row"))
		return ORA_CONTEST_LINE_0;
	const struct di_row *at = row;
	for (; has_before(lines, at) && at[-1].address == row->address; at--)
		if (is_row(lines, at - 1, said->value))
			return contest;
	if (row->line && row->is_stmt)
		return ORA_CONTEST_NONE;
	while (has_before(lines, at)) {
		at--;
		if (is_row(lines, at, said->value))
			return contest;
		if (at->line && (at->is_stmt || !row->line))
			break;
	}
	return ORA_CONTEST_NONE;
}

/* --- variables -------------------------------------------------------------------------------- */

static bool is_value(const struct ora_said *said)
{
	return said->state == ORA_STATE_VALUE;
}

/* Whether xstep declines because tail calls have ended what could tell, or leave open which they
 * were. A debugger may make more of it. */
static bool is_behind_tail_call(enum di_why_code why)
{
	switch (why) {
	case DI_WHY_ENDED_REGISTER:
	case DI_WHY_ENDED_FRAME_BASE:
	case DI_WHY_TAIL_BY_POINTER:
	case DI_WHY_TAIL_TOO_MANY:
	case DI_WHY_TAIL_OF_COPIES:
	case DI_WHY_TAIL_NONE:
	case DI_WHY_TAIL_BACK:
	case DI_WHY_TAIL_SEVERAL:
	case DI_WHY_TAIL_UNDESCRIBED:
		return true;
	default:
		return false;
	}
}

static enum ora_contest variable_contest(const struct ora_finding *finding,
	const struct ora_said *judge, const struct ora_said *said)
{
	uint64_t set = finding->features.set;
	if (said->state == ORA_STATE_ABSENT &&
		(DI_HAS(set, ARTIFICIAL) || DI_HAS(set, UNIT_WITHOUT_CODE)))
		return ORA_CONTEST_ARTIFICIAL;
	/* Constants that link-time optimisation has copied into the unit that it makes. */
	if (judge->state == ORA_STATE_ABSENT && DI_HAS(set, UNIT_WITHOUT_CODE) &&
		DI_HAS(set, CONST_VALUE))
		return ORA_CONTEST_ARTIFICIAL;
	if (judge->undeclared && !is_value(said))
		return ORA_CONTEST_UNDECLARED;
	if (DI_HAS(set, DECLARATION) && judge->state == ORA_STATE_ABSENT)
		return ORA_CONTEST_DECLARATION;
	if (!is_value(judge) && !is_value(said))
		return ORA_CONTEST_UNLOCATED;
	if (is_value(said) && is_behind_tail_call(judge->why))
		return ORA_CONTEST_TAIL_VALUE;
	if (!is_value(judge) && judge->state != ORA_STATE_ABSENT && is_value(said) &&
		finding->difference->frame && DI_HAS(set, REGISTER) && !finding->proof.written)
		return ORA_CONTEST_LEFTOVER;
	return ORA_CONTEST_NONE;
}

/* Where a virtual base is, an object of C++ says itself, once its constructor has run. Before that
 * a debugger may follow what is not there yet, even for members of other bases. Where no class on
 * the path has a virtual base, everything is where it always is. */
static bool is_unbuilt(const struct ora_verdicts *verdicts, const struct ora_finding *finding,
	const struct ora_said *said)
{
	const struct ora_difference *difference = finding->difference;
	return DI_HAS(finding->features.set, DYNAMIC_TYPE) &&
	       difference->aspect == ORA_ASPECT_VARIABLE && said->state == ORA_STATE_ERROR &&
	       said->message && strstr(said->message, "annot access memory") && difference->path &&
	       strchr(difference->path, '.') && !difference->frame_module &&
	       di_language_at(verdicts->module, difference->frame_pc) == DI_LANGUAGE_CPP;
}

/* Whether it is a constant that a class declares and nobody defines: no variable of the unit, and
 * a debugger may list it. */
static bool is_class_constant(const struct ora_verdicts *verdicts,
	const struct ora_difference *difference, size_t judge, size_t w)
{
	return difference->aspect == ORA_ASPECT_VARIABLE && difference->path && difference->var &&
	       difference->global && difference->said[judge].state == ORA_STATE_ABSENT &&
	       is_value(&difference->said[w]) &&
	       di_is_class_constant(verdicts->module, difference->var);
}

/* Whether it is a member that its class declares with a value, and whose definition has a place:
 * clang does so for `static inline int member = 2`, which is no constant. What the definition takes
 * over from its declaration says that it is in no memory (DWARF 5, 2.13.2, 4.1). */
static bool is_constant_object(
	const struct ora_verdicts *verdicts, const struct ora_difference *difference, size_t judge)
{
	return difference->aspect == ORA_ASPECT_VARIABLE && difference->var && difference->global &&
	       is_value(&difference->said[judge]) &&
	       di_is_class_constant(verdicts->module, difference->var);
}

/* rustc writes the number of a variant without its sign, 0xfffe for -2 of 16 bits, in a form that
 * has room for more. xstep takes as many bits as the discriminant has; gdb takes it as it stands,
 * and finds no variant. */
static bool is_unsigned_tag(const struct ora_said *said)
{
	return said->state == ORA_STATE_ERROR && said->message &&
	       strstr(said->message, "Could not find active enum variant");
}

/* Whether a debugger declines what a function was entered with because that function, by a tail
 * call to code of which nobody knows anything, may have been called anew. xstep takes that code for
 * one that does not call back, and the DWARF does not say who is right. */
static bool is_called_anew(const struct ora_verdicts *verdicts, const struct ora_finding *finding,
	const struct ora_said *judge, const struct ora_said *said)
{
	const struct ora_difference *difference = finding->difference;
	return difference->aspect == ORA_ASPECT_VARIABLE && is_value(judge) &&
	       said->state == ORA_STATE_OPTIMIZED_OUT && !difference->frame_module &&
	       DI_HAS(finding->features.set, ENTRY_VALUE) &&
	       di_tail_may_leave(verdicts->module, difference->frame_pc);
}

/* A debugger that does not know a format sees no debug information, and reads nothing wrong. lldb
 * did not know zstd before 16. It does not know 64-bit DWARF, which a consumer need not (DWARF 5,
 * 7.4). */
static enum ora_contest blindness(const struct ora_verdicts *verdicts,
	const struct ora_difference *difference, const struct ora_said *said, size_t w)
{
	bool nothing = difference->aspect == ORA_ASPECT_LINE
			       ? said->value && !strcmp(said->value, "no row")
			       : difference->frames.len || said->state == ORA_STATE_ABSENT;
	if (!nothing || strncmp(verdicts->witnesses[w], "lldb", 4) != 0)
		return ORA_CONTEST_NONE;
	return di_gaps_zstd(verdicts->module)   ? ORA_CONTEST_COMPRESSED
	       : di_gaps_wide(verdicts->module) ? ORA_CONTEST_WIDE
						: ORA_CONTEST_NONE;
}

enum ora_contest ora_contest_of(const struct ora_verdicts *verdicts,
	const struct ora_finding *finding, size_t judge, size_t w)
{
	const struct ora_difference *difference = finding->difference;
	const struct ora_said *said = &difference->said[w];
	struct di_module *module = difference->module ? NULL : verdicts->module;
	enum ora_contest blind =
		verdicts->module ? blindness(verdicts, difference, said, w) : ORA_CONTEST_NONE;
	if (blind != ORA_CONTEST_NONE)
		return blind;
	if (verdicts->module && !difference->frames.len &&
		ora_shared_is(verdicts->module, difference))
		return ORA_CONTEST_SHARED;
	if (verdicts->module && is_class_constant(verdicts, difference, judge, w))
		return ORA_CONTEST_DECLARATION;
	if (verdicts->module && is_value(said) && is_constant_object(verdicts, difference, judge))
		return ORA_CONTEST_CONSTANT;
	if (verdicts->module && is_unbuilt(verdicts, finding, said))
		return ORA_CONTEST_UNBUILT;
	if (verdicts->module && is_called_anew(verdicts, finding, &difference->said[judge], said))
		return ORA_CONTEST_TAIL_VALUE;
	if (difference->aspect == ORA_ASPECT_VARIABLE && is_unsigned_tag(said))
		return ORA_CONTEST_TAG;
	if (difference->aspect == ORA_ASPECT_LINE && module)
		return line_contest(module, difference->pc, said);
	if (ora_aspect_is_static(difference->aspect) && module)
		return ora_symbols_contest(module, difference, judge, w);
	if (difference->aspect == ORA_ASPECT_VARIABLE)
		return variable_contest(finding, &difference->said[judge], said);
	if (difference->frames.len && verdicts->module && !judge)
		return ora_frames_contest(verdicts->module, difference, w);
	return difference->aspect == ORA_ASPECT_PRESENTATION ? ORA_CONTEST_INLINED
							     : ORA_CONTEST_NONE;
}
