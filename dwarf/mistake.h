/* mistake.h - mistakes of debuggers and symbolisers, to be made on purpose.
 *
 * A debugger is accused of a mistake only if xstep, making the same one, comes to the very words
 * of the debugger. Each mistake is a switch in one part of dwarf/ (the evaluator, the choice in a
 * list, the scopes, the reading of bits, the frames), and only one is on at a time: replayed.h.
 *
 * They are those of gdb 13, lldb 15 (file-address: 16 to 19), binutils 2.40 and elfutils 0.188, and
 * what those do is said beside the code of each. */
#ifndef DI_MISTAKE_H
#define DI_MISTAKE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* name, debugger, the rule of the judge that it is the model of */
#define DI_MISTAKES(X)                                                                             \
	/* Which entry of a list, or which constant. */                                            \
	X(GDB_EMPTY_FIRST_ENTRY, "gdb", "empty-first-entry")                                       \
	X(GDB_LIST_KIND, "gdb", "list-kind")                                                       \
	X(LLDB_DEFAULT_ENTRY, "lldb", "default-entry")                                             \
	X(LLDB_CONSTANT_DATA, "lldb", "constant-data")                                             \
	/* The evaluator. */                                                                       \
	X(GDB_WIDE, "gdb", "wide")                                                                 \
	X(GDB_TYPED, "gdb", "typed")                                                               \
	X(GDB_OPERATOR, "gdb", "operator")                                                         \
	X(GDB_MIXED_TYPES, "gdb", "mixed-types")                                                   \
	X(LLDB_DIV, "lldb", "div")                                                                 \
	X(LLDB_DEREF_SIZE, "lldb", "deref-size")                                                   \
	X(LLDB_ARITHMETIC, "lldb", "arithmetic")                                                   \
	X(LLDB_IMPLICIT_POINTER, "lldb", "implicit-pointer")                                       \
	X(LLDB_TYPED, "lldb", "typed")                                                             \
	X(LLDB_MIXED_TYPES, "lldb", "mixed-types")                                                 \
	X(LLDB_CALL, "lldb", "call")                                                               \
	X(LLDB_GNU_OPERATOR, "lldb", "gnu-operator")                                               \
	X(LLDB_INDEXED, "lldb", "indexed")                                                         \
	X(LLDB_UNRELOCATED, "lldb", "unrelocated")                                                 \
	X(LLDB_FILE_ADDRESS, "lldb", "file-address")                                               \
	X(LLDB_OPERATOR, "lldb", "operator")                                                       \
	X(LLDB_TLS, "lldb", "tls")                                                                 \
	X(GDB_DISCARDED, "gdb", "discarded")                                                       \
	X(LLDB_DISCARDED, "lldb", "discarded")                                                     \
	/* Pieces, bits, types. */                                                                 \
	X(GDB_SYNTHETIC_POINTER, "gdb", "synthetic-pointer")                                       \
	X(GDB_BEHIND_PIECES, "gdb", "behind-pieces")                                               \
	X(GDB_WIDE_BIT_FIELD, "gdb", "wide-bit-field")                                             \
	X(GDB_WIDE_TAG, "gdb", "wide-tag")                                                         \
	X(GDB_TYPE, "gdb", "type")                                                                 \
	X(LLDB_GAP_AS_0, "lldb", "gap-as-0")                                                       \
	X(LLDB_BIT_PIECE, "lldb", "bit-piece")                                                     \
	X(LLDB_PIECE, "lldb", "piece")                                                             \
	X(LLDB_BIT_FIELD, "lldb", "bit-field")                                                     \
	X(LLDB_DYNAMIC_TYPE, "lldb", "dynamic-type")                                               \
	X(LLDB_VARIANT_PART, "lldb", "variant-part")                                               \
	/* Call sites and frames. */                                                               \
	X(GDB_CALLEE_LEFTOVER, "gdb", "callee-leftover")                                           \
	X(GDB_ABSTRACT_CALLEE, "gdb", "abstract-callee")                                           \
	X(GDB_TAIL_CALL_AT_RETURN, "gdb", "tail-call-at-return")                                   \
	X(GDB_TAIL_CALL_BEHIND_POINTER, "gdb", "tail-call-behind-pointer")                         \
	X(GDB_INLINED_ENTRY_VALUE, "gdb", "inlined-entry-value")                                   \
	X(GDB_ENDED_FRAME, "gdb", "ended-frame")                                                   \
	X(LLDB_ENTRY_VALUE, "lldb", "entry-value")                                                 \
	X(LLDB_CALLEE_LEFTOVER, "lldb", "callee-leftover")                                         \
	X(LLDB_CFA_RESTORE, "lldb", "cfa-restore")                                                 \
	/* Which variables there are, and which of them a name means. */                           \
	X(GDB_BLOCK_WITHOUT_CODE, "gdb", "block-without-code")                                     \
	X(GDB_OMITTED_BLOCK, "gdb", "omitted-block")                                               \
	X(GDB_INNER_BLOCK, "gdb", "inner-block")                                                   \
	X(GDB_LISTED_TWICE, "gdb", "listed-twice")                                                 \
	X(GDB_FUTURE_SCOPE, "gdb", "future-scope")                                                 \
	X(GDB_ABSTRACT_HIDES, "gdb", "abstract-hides")                                             \
	X(GDB_DECLARATION, "gdb", "declaration")                                                   \
	X(LLDB_SPLIT_FUNCTION, "lldb", "split-function")                                           \
	X(LLDB_DATA16, "lldb", "data16")                                                           \
	X(LLDB_EMPTY_SCOPE_RANGE, "lldb", "empty-scope-range")                                     \
	X(LLDB_NO_LOCATION, "lldb", "no-location-not-listed")                                      \
	X(LLDB_ABSTRACT_ONLY, "lldb", "abstract-only")                                             \
	X(LLDB_ABSTRACT_LISTED, "lldb", "abstract-listed")                                         \
	X(LLDB_BLOCK_WITHOUT_CODE, "lldb", "block-without-code")                                   \
	X(LLDB_FUTURE_SCOPE, "lldb", "future-scope")                                               \
	X(LLDB_DECLARATION, "lldb", "declaration")                                                 \
	/* Symbolisers: whose code it is (owners.h). */                                            \
	X(ADDR2LINE_SPLIT, "addr2line", "split")                                                   \
	X(EU_ADDR2LINE_SPLIT, "eu-addr2line", "split")                                             \
	X(ADDR2LINE_RNGLISTX, "addr2line", "rnglistx")                                             \
	X(ADDR2LINE_FIRST_FILE, "addr2line", "first-file")                                         \
	X(EU_ADDR2LINE_ARANGES, "eu-addr2line", "aranges")

enum di_mistake {
	DI_MISTAKE_NONE,
#define X(name, debugger, rule) DI_MISTAKE_##name,
	DI_MISTAKES(X)
#undef X
		DI_MISTAKE_COUNT,
};

/* `gdb:empty-first-entry`; of NONE, `none`. */
const char *di_mistake_text(enum di_mistake mistake);
/* `gdb`, `lldb`, `addr2line`; of NONE, "". */
const char *di_mistake_debugger(enum di_mistake mistake);

/* Whether the address of a DW_OP_addr stays as the file has it, though the program was loaded
 * elsewhere; `behind` are the bytes after that operator. lldb 16 to 19 move an address last of all,
 * where it is the variable's place, or where it is read from: not where it is a value, or is
 * calculated with. */
bool di_mistake_keeps_address(
	bool as_value, enum di_mistake mistake, const uint8_t *behind, size_t size);

#endif
