/* clang.h - libclang's functions, for those who parse sources.
 *
 * libclang is loaded when it is first asked for: with all of LLVM behind it, it would cost every
 * command some 45 MB and its start. src_clang.NAME(...) then is clang_NAME(...). */
#ifndef SRC_CLANG_H
#define SRC_CLANG_H

#include <clang-c/Index.h>

#include "base/error.h"

#define SRC_CLANG_FUNCTIONS(X)                                                                     \
	X(EvalResult_getKind)                                                                      \
	X(EvalResult_getAsInt)                                                                     \
	X(EvalResult_dispose)                                                                      \
	X(Cursor_Evaluate)                                                                         \
	X(Cursor_getArgument)                                                                      \
	X(Cursor_getNumArguments)                                                                  \
	X(Cursor_getStorageClass)                                                                  \
	X(Cursor_getVarDeclInitializer)                                                            \
	X(Cursor_hasAttrs)                                                                         \
	X(Cursor_isBitField)                                                                       \
	X(Cursor_isFunctionInlined)                                                                \
	X(Cursor_isNull)                                                                           \
	X(Cursor_isVariadic)                                                                       \
	X(File_isEqual)                                                                            \
	X(Location_isInSystemHeader)                                                               \
	X(Type_getAlignOf)                                                                         \
	X(Type_getSizeOf)                                                                          \
	X(createIndex)                                                                             \
	X(defaultDiagnosticDisplayOptions)                                                         \
	X(disposeDiagnostic)                                                                       \
	X(disposeIndex)                                                                            \
	X(disposeString)                                                                           \
	X(disposeTranslationUnit)                                                                  \
	X(equalCursors)                                                                            \
	X(equalTypes)                                                                              \
	X(formatDiagnostic)                                                                        \
	X(getArrayElementType)                                                                     \
	X(getCString)                                                                              \
	X(getCanonicalCursor)                                                                      \
	X(getCanonicalType)                                                                        \
	X(getCursorDefinition)                                                                     \
	X(getCursorExtent)                                                                         \
	X(getCursorKind)                                                                           \
	X(getCursorLocation)                                                                       \
	X(getCursorReferenced)                                                                     \
	X(getCursorResultType)                                                                     \
	X(getCursorSemanticParent)                                                                 \
	X(getCursorSpelling)                                                                       \
	X(getCursorTLSKind)                                                                        \
	X(getCursorType)                                                                           \
	X(getDiagnostic)                                                                           \
	X(getDiagnosticSeverity)                                                                   \
	X(getExpansionLocation)                                                                    \
	X(getFieldDeclBitWidth)                                                                    \
	X(getFile)                                                                                 \
	X(getFileContents)                                                                         \
	X(getFileLocation)                                                                         \
	X(getLocationForOffset)                                                                    \
	X(getNullCursor)                                                                           \
	X(getNumDiagnostics)                                                                       \
	X(getPointeeType)                                                                          \
	X(getPresumedLocation)                                                                     \
	X(getRangeEnd)                                                                             \
	X(getRangeStart)                                                                           \
	X(getResultType)                                                                           \
	X(getTranslationUnitCursor)                                                                \
	X(getTypeDeclaration)                                                                      \
	X(getTypeSpelling)                                                                         \
	X(isConstQualifiedType)                                                                    \
	X(isCursorDefinition)                                                                      \
	X(isDeclaration)                                                                           \
	X(isExpression)                                                                            \
	X(isStatement)                                                                             \
	X(isVolatileQualifiedType)                                                                 \
	X(parseTranslationUnit2)                                                                   \
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
