/* clang.h - libclang's functions, for those who parse sources.
 *
 * libclang is loaded when it is first asked for: with all of LLVM behind it, it would cost every command
 * some 45 MB and its start. Then src_clang.NAME(...) is what clang_NAME(...) is elsewhere. */
#ifndef SRC_CLANG_H
#define SRC_CLANG_H

#include <clang-c/Index.h>

#include "base/error.h"

#define SRC_CLANG_FUNCTIONS(X) \
	X(Cursor_getArgument) \
	X(Cursor_getNumArguments) \
	X(Cursor_getStorageClass) \
	X(Cursor_getVarDeclInitializer) \
	X(Cursor_isNull) \
	X(File_isEqual) \
	X(Location_isInSystemHeader) \
	X(createIndex) \
	X(defaultDiagnosticDisplayOptions) \
	X(disposeDiagnostic) \
	X(disposeIndex) \
	X(disposeString) \
	X(disposeTranslationUnit) \
	X(equalCursors) \
	X(formatDiagnostic) \
	X(getCString) \
	X(getCanonicalType) \
	X(getCursorDefinition) \
	X(getCursorExtent) \
	X(getCursorKind) \
	X(getCursorLocation) \
	X(getCursorReferenced) \
	X(getCursorSemanticParent) \
	X(getCursorSpelling) \
	X(getCursorType) \
	X(getDiagnostic) \
	X(getDiagnosticSeverity) \
	X(getFile) \
	X(getFileContents) \
	X(getFileLocation) \
	X(getNullCursor) \
	X(getNumDiagnostics) \
	X(getRangeEnd) \
	X(getRangeStart) \
	X(getTranslationUnitCursor) \
	X(isCursorDefinition) \
	X(isDeclaration) \
	X(parseTranslationUnit2) \
	X(visitChildren)

struct src_clang {
#define SRC_CLANG_FIELD(name) __typeof__(clang_##name) *name;
	SRC_CLANG_FUNCTIONS(SRC_CLANG_FIELD)
#undef SRC_CLANG_FIELD
};
extern struct src_clang src_clang;

/* To be called before any of them; does nothing the second time. */
XS_MUST_CHECK struct xs_error *src_clang_load(void);

#endif
