/* mutate_ocp.c - obfuscation of code positions: what is between tokens becomes line breaks, blanks,
 * and #line directives.
 *
 * Never where a macro is used (its arguments may be turned into text, and a directive there means
 * nothing), nor beside a directive. A source that asks for its own lines is left alone. */
#include "source/pass.h"

/* A source that says one of these would do something else on another line. */
static const char *const asks[] = {"__LINE__", "__FILE__", "__BASE_FILE__", "__builtin_LINE",
	"__builtin_FILE", "__builtin_COLUMN", "__INCLUDE_LEVEL__"};

/* A line of a file that is not there. Small numbers are as likely as large ones. */
static void put_line(struct src_pass *pass, unsigned offset)
{
	static const char *const forms[][2] = {
		{"f", ".c"}, {"lib/f", ".h"}, {"../f", ".inc"}, {"f ", ".c"}};
	size_t bits = 1 + src_pick(pass, src_flip(pass, 0.1) ? 24 : 14);
	size_t line = 1 + src_pick(pass, (size_t)1 << bits);
	size_t form = src_pick(pass, sizeof forms / sizeof *forms), number = src_pick(pass, 16);
	src_edit_before(&pass->edits, offset, "\n#line %zu \"%s%zu%s\"\n", line, forms[form][0],
		number, forms[form][1]);
}

/* Changes what is between two tokens. */
static void change(
	struct src_pass *pass, const struct src_token *left, const struct src_token *right)
{
	const char *text = pass->unit->text;
	bool line_comment = left->kind == SRC_COMMENT && text[left->begin + 1] == '/';
	bool broken = memchr(text + left->end, '\n', right->begin - left->end);
	size_t many = 1 + src_pick(pass, 4);
	switch (src_pick(pass, 5)) {
	case 0:
		src_edit_before(&pass->edits, right->begin, "%.*s", (int)many, "\n\n\n\n");
		break;
	case 1:
		src_edit_before(&pass->edits, right->begin, "%.*s", (int)many, " \t  ");
		break;
	case 2:
		if (broken && !line_comment) {
			src_edit_replace(&pass->edits, left->end, right->begin, " ");
			break;
		}
		src_edit_before(&pass->edits, right->begin, "\n");
		break;
	default:
		put_line(pass, right->begin);
	}
	pass->applied++;
}

void src_mutate_ocp(struct src_pass *pass)
{
	const struct src_unit *unit = pass->unit;
	bool system = false; /* a preprocessed source: this is a system header's */
	for (size_t i = 0; i < sizeof asks / sizeof *asks; i++)
		if (strstr(unit->text, asks[i]))
			return;
	if (pass->tokens.spliced)
		return;
	for (size_t i = 1; i < pass->tokens.vec.len; i++) {
		const struct src_token *left = &pass->tokens.vec.data[i - 1], *right = left + 1;
		if (left->kind == SRC_DIRECTIVE)
			system = src_clang.Location_isInSystemHeader(src_clang.getLocationForOffset(
				unit->unit, unit->file, right->begin));
		if (left->kind == SRC_DIRECTIVE || right->kind == SRC_DIRECTIVE || system ||
			(src_in_macro(pass, left->end - 1) && src_in_macro(pass, right->begin)))
			continue;
		if (src_flip(pass, pass->chance))
			change(pass, left, right);
	}
}
