#include "source/parse.h"

#include <ctype.h>

#include "source/clang.h"

/* Parses the file, or the text in its place. */
static struct xs_error *parse(const char *path, struct CXUnsavedFile *instead,
	const char *const *flags, size_t count, struct src_unit **ret)
{
	XS_AUTO(src_unit) unit = xs_calloc(1, sizeof *unit);
	if (access(path, R_OK))
		return xs_error_sys("%s", path);
	struct xs_error *failed = src_clang_load();
	if (failed)
		return failed;
	unit->path = xs_strdup(path);
	unit->index = src_clang.createIndex(0, 0);
	enum CXErrorCode code = src_clang.parseTranslationUnit2(unit->index, path, flags,
		(int)count, instead, instead ? 1 : 0,
		instead ? CXTranslationUnit_DetailedPreprocessingRecord : CXTranslationUnit_None,
		&unit->unit);
	if (code != CXError_Success)
		return xs_error_create("%s: libclang cannot parse it", path);
	for (unsigned i = 0; i < src_clang.getNumDiagnostics(unit->unit); i++) {
		CXDiagnostic one = src_clang.getDiagnostic(unit->unit, i);
		CXString text = src_clang.formatDiagnostic(
			one, src_clang.defaultDiagnosticDisplayOptions());
		struct xs_error *err = src_clang.getDiagnosticSeverity(one) >= CXDiagnostic_Error
					       ? xs_error_create("%s; are the compiler's flags "
								 "missing? --flag -I...",
							 src_clang.getCString(text))
					       : NULL;
		src_clang.disposeString(text);
		src_clang.disposeDiagnostic(one);
		if (err)
			return err;
	}
	unit->file = src_clang.getFile(unit->unit, path);
	unit->text = src_clang.getFileContents(unit->unit, unit->file, &unit->size);
	if (!unit->text)
		return xs_error_create("%s: libclang has no text of it", path);
	*ret = xs_take(&unit);
	return NULL;
}

struct xs_error *src_unit_open(
	const char *path, const char *const *flags, size_t count, struct src_unit **ret)
{
	return parse(path, NULL, flags, count, ret);
}

struct xs_error *src_unit_open_text(const char *path, const char *text, size_t size,
	const char *const *flags, size_t count, struct src_unit **ret)
{
	struct CXUnsavedFile instead = {path, text, size};
	return parse(path, &instead, flags, count, ret);
}

void src_unit_destroy(struct src_unit *unit)
{
	if (!unit)
		return;
	if (unit->unit)
		src_clang.disposeTranslationUnit(unit->unit);
	if (unit->index)
		src_clang.disposeIndex(unit->index);
	free(unit->path);
	free(unit);
}

static bool locate(
	const struct src_unit *unit, CXSourceLocation at, unsigned *offset, unsigned *line)
{
	CXFile file;
	unsigned row;
	src_clang.getFileLocation(at, &file, &row, NULL, offset);
	if (line)
		*line = row;
	return file && src_clang.File_isEqual(file, unit->file) && *offset <= unit->size;
}

unsigned src_presumed(CXSourceLocation at, char **file)
{
	CXString name;
	unsigned line;
	src_clang.getPresumedLocation(at, &name, &line, NULL);
	const char *text = src_clang.getCString(name);
	*file = xs_strdup(text ? text : "");
	src_clang.disposeString(name);
	return line;
}

bool src_begin(const struct src_unit *unit, CXCursor cursor, unsigned *offset, unsigned *line)
{
	return locate(
		unit, src_clang.getRangeStart(src_clang.getCursorExtent(cursor)), offset, line);
}

bool src_end(const struct src_unit *unit, CXCursor cursor, unsigned *offset, unsigned *line)
{
	return locate(unit, src_clang.getRangeEnd(src_clang.getCursorExtent(cursor)), offset, line);
}

static enum CXChildVisitResult on_child(CXCursor cursor, CXCursor parent, CXClientData data)
{
	struct src_children *ret = data;
	(void)parent;
	xs_vec_push(&ret->vec, cursor);
	return CXChildVisit_Continue;
}

void src_children_of(CXCursor cursor, struct src_children *ret)
{
	*ret = (struct src_children){0};
	src_clang.visitChildren(cursor, on_child, ret);
}

/* Where a comment at an offset ends; the offset itself if there is none. */
static unsigned skip_comment(const struct src_unit *unit, unsigned from, unsigned to)
{
	const char *text = unit->text;
	if (to - from < 2 || text[from] != '/' || (text[from + 1] != '*' && text[from + 1] != '/'))
		return from;
	bool line = text[from + 1] == '/';
	for (unsigned at = from + 2; at < to; at++) {
		if (line && text[at] == '\n')
			return at;
		if (!line && at + 1 < to && text[at] == '*' && text[at + 1] == '/')
			return at + 2;
	}
	return to;
}

/* The punctuation at an offset; blanks, comments and broken lines are skipped. */
static void operator_at(const struct src_unit *unit, unsigned from, unsigned to, char ret[4])
{
	static const char marks[] = "=+-*/%&|^<>!~,?:";
	size_t length = 0;
	for (unsigned before = to + 1; from < to && from != before;) {
		before = from;
		from = skip_comment(unit, from, to);
		while (from < to &&
			(isspace((unsigned char)unit->text[from]) || unit->text[from] == '\\'))
			from++;
	}
	while (from < to && length < 3 && strchr(marks, unit->text[from]) && unit->text[from] &&
		skip_comment(unit, from, to) == from)
		ret[length++] = unit->text[from++];
	ret[length] = 0;
}

/* Whether a cursor begins within the arguments of a macro. */
static bool is_argument(CXCursor cursor)
{
	CXSourceLocation at = src_clang.getRangeStart(src_clang.getCursorExtent(cursor));
	unsigned written, expanded;
	src_clang.getFileLocation(at, NULL, NULL, NULL, &written);
	src_clang.getExpansionLocation(at, NULL, NULL, NULL, &expanded);
	return written != expanded;
}

void src_binary_operator(const struct src_unit *unit, CXCursor left, CXCursor right, char ret[4])
{
	unsigned from, to;
	*ret = 0;
	if (src_end(unit, left, &from, NULL) && src_begin(unit, right, &to, NULL))
		operator_at(unit, from, to, ret);
	/* Between the arguments of a macro, a comma is no operator. */
	if (*ret == ',' && is_argument(right))
		*ret = 0;
}

void src_unary_operator(const struct src_unit *unit, CXCursor cursor, char ret[4])
{
	unsigned from, to;
	*ret = 0;
	if (!src_begin(unit, cursor, &from, NULL) || !src_end(unit, cursor, &to, NULL) ||
		to - from < 2)
		return;
	operator_at(unit, from, from + 2, ret);
	if (!*ret)
		operator_at(unit, to - 2, to, ret);
	/* `-*p`, `&*p`: the first one is meant, but `++` and `--` are one. */
	if (strlen(ret) == 2 && strcmp(ret, "++") && strcmp(ret, "--"))
		ret[1] = 0;
}

CXCursor src_bare(CXCursor cursor)
{
	for (;;) {
		enum CXCursorKind kind = src_clang.getCursorKind(cursor);
		if (kind != CXCursor_ParenExpr && kind != CXCursor_UnexposedExpr &&
			kind != CXCursor_CStyleCastExpr)
			return cursor;
		struct src_children children;
		src_children_of(cursor, &children);
		size_t count = children.vec.len;
		CXCursor last = count ? children.vec.data[count - 1] : cursor;
		xs_vec_deinit(&children.vec);
		if (!count)
			return cursor;
		cursor = last;
	}
}
