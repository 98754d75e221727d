/* why_list.h - every reason why a question has no answer: WHY(code, name, words).
 *
 * The code is the value that the program works with (DI_WHY_code). The name is what a store keeps
 * of it: it never changes. The words are for people. They take the operands of the reason in their
 * order, numbers and texts apart:
 *
 *     %u  %d  a number, unsigned or signed        %x  %b  one in hex, as 0x1f or at least 0x0f
 *     %p      "s" unless the last one was 1       %r  %R  %n  a register, by name or number
 *     %o      an operator's name by its code      %t      a base type, packed in a number
 *     %w  %f  the wide operand, as a signed integer or as a float whose format is a number
 *     %T  %A  %E  %L  a tag, an attribute, an encoding, a language of DWARF, by its number
 *     %s      a text; %.100s: at most 100 characters of it
 *     %m      as many characters of a text as a number says
 *
 * Included by whoever defines WHY. */

/* clang-format off */
WHY(NONE,                  "none",                  "")
WHY(OTHER,                 "other",                 "%s") /* in the words of whoever was asked */
WHY(LIBDW,                 "libdw",                 "%s")
WHY(MISTAKE,               "mistake",               "%s does not do that") /* replayed: mistake.h */

/* The variable has no place here. */
WHY(NO_LOCATION,           "no-location",           "it has no location")
WHY(DISCARDED,             "discarded",             "the linker threw it away: its address is none")
WHY(NOT_LIVE,              "not-live",              "no entry of its location list covers this pc")
WHY(EMPTY_EXPRESSION,      "empty-expression",      "empty expression")
WHY(EMPTY_LOCATION,        "empty-location",        "an empty location")
WHY(EMPTY_PIECE,           "empty-piece",           "an empty piece")
WHY(NO_PIECE,              "no-piece",              "no piece describes it")
WHY(LOST_WITH_PIECE,       "lost-with-piece",       "the value was lost with an earlier piece")
WHY(PLACE_GONE,            "place-gone",            "no value but a place that is gone")
WHY(NOT_ALLOCATED,         "not-allocated",         "%A says that it is not there")
WHY(NO_EXPRESSION,         "no-expression",         "no expression gives it here")

/* Registers and memory. */
WHY(REGISTER_NOT_SAVED,    "register-not-saved",    "%n was not saved by the callee")
WHY(NO_REGISTER,           "no-register",           "no register %u in this machine state")
WHY(MEMORY_UNREADABLE,     "memory-unreadable",     "cannot read memory at %x")
WHY(ADDRESS_SPACE,         "address-space",         "address space %u")
WHY(NO_THREAD_POINTER,     "no-thread-pointer",     "no thread pointer in this machine state")
WHY(TLS_OF_LIBRARY,        "tls-of-library",        "thread-local storage of a shared object")
WHY(TLS_NOT_YET,           "tls-not-yet",
	"the thread has not yet asked for the thread-local storage of %s")
WHY(NO_TLS,                "no-tls",                "%s has no thread-local storage")
WHY(TLS_OFFSET,            "tls-offset",
	"%x is no offset in thread-local storage, which has %u byte%p")

/* Call sites and tail calls. */
WHY(CALLER_UNKNOWN,        "caller-unknown",        "no call site: the caller is not known")
WHY(NO_CALL_SITE,          "no-call-site",          "no call site for the return to %x")
WHY(CALL_SITE_SILENT,      "call-site-silent",      "the call site does not tell")
WHY(CALL_TARGET_UNSAID,    "call-target-unsaid",    "the call site does not say whom it calls")
WHY(NOT_ENTERED,           "not-entered",           "no function here that was entered")
WHY(ENTRY_UNKNOWN,         "entry-unknown",         "its code is not known by its entry")
WHY(TAIL_BY_POINTER,       "tail-by-pointer",
	"a tail call through a pointer may have led to it")
WHY(TAIL_TOO_MANY,         "tail-too-many",         "too many tail calls to follow")
WHY(TAIL_OF_COPIES,        "tail-of-copies",
	"it is open which copy of a function was called before a tail call")
WHY(TAIL_NONE,             "tail-none",             "no tail call that is described leads to it")
WHY(TAIL_BACK,             "tail-back",             "a tail call may have led back to it")
WHY(TAIL_SEVERAL,          "tail-several",          "more than one way of tail calls leads to it")
WHY(TAIL_UNDESCRIBED,      "tail-undescribed",      "not every tail call on the way is described")
WHY(ENDED_REGISTER,        "ended-register",
	"a register of a function that a tail call ended")
WHY(ENDED_FRAME_BASE,      "ended-frame-base",
	"the frame base of a function that a tail call ended")

/* Functions inside of functions. */
WHY(STATIC_LINK_MISSING,   "static-link-missing",
	"%s has no DW_AT_static_link: nobody knows which call of %s is around it")
WHY(STATIC_LINK_NOWHERE,   "static-link-nowhere",
	"the static link of %s leads to %x, which is the frame base of no call of %s")
WHY(STATIC_LINK_SEVERAL,   "static-link-several",
	"the static link of %s leads to a frame with several calls of %s")
WHY(STATIC_LINK_NO_VARIABLE, "static-link-no-variable",
	"the call of %s around it has no such variable")

/* What expressions ask for. */
WHY(NOBODY_KNOWS,          "nobody-knows",          "%s cannot be had here")
WHY(NO_FRAME,              "no-frame",              "no call frame information for %x")
WHY(NO_FUNCTION,           "no-function",           "no function here to have a frame base")
WHY(NO_FRAME_BASE,         "no-frame-base",         "%s has no frame base here")
WHY(FRAME_BASE_PIECES,     "frame-base-pieces",     "the frame base is in pieces")
WHY(FRAME_BASE_NO_ADDRESS, "frame-base-no-address", "the frame base is no address")
WHY(NO_OBJECT,             "no-object",             "no object here to have an address")
WHY(NO_ADDRESS_ENTRY,      "no-address-entry",      "no entry %u in .debug_addr")
WHY(NO_DIE,                "no-die",                "no DIE at .debug_info+%x")
WHY(NO_BASE_TYPE,          "no-base-type",          "the DIE at .debug_info+%x is no base type")
WHY(VALUE_IN_PIECES,       "value-in-pieces",       "a value in pieces")
WHY(NUMBER_NOT_GIVEN,      "number-not-given",      "the number is not given")
WHY(NOT_A_NUMBER,          "not-a-number",          "a variable of type %s is no number")

/* What operators do. */
WHY(STACK_UNDERFLOW,       "stack-underflow",       "%u value%p on the stack")
WHY(STACK_OVERFLOW,        "stack-overflow",        "more than %u values on the stack")
WHY(NOT_AN_INTEGER,        "not-an-integer",        "operand is %t, not an integer")
WHY(TYPES_DIFFER,          "types-differ",          "operands are %t and %t, not of one type")
WHY(DIVISION_BY_ZERO,      "division-by-zero",      "division by zero")
WHY(NEGATIVE_SHIFT,        "negative-shift",        "shift by %w")
WHY(DOES_NOT_FIT,          "does-not-fit",          "%f does not fit into %t")
WHY(OTHER_WIDTH,           "other-width",           "operand has %u bits, the type %u")
WHY(REGISTER_TOO_NARROW,   "register-too-narrow",   "the register has %u bits, the type %u")
WHY(BASE_TYPE_NEEDED,      "base-type-needed",      "a base type is needed")
WHY(BASE_TYPE_SIZE,        "base-type-size",
	"base type <%x> has %u bits in %u bytes, not 1 to %u")
WHY(BASE_TYPE_FLOAT,       "base-type-float",
	"base type <%x> is a float of %u bits, a format not known")
WHY(TYPE_SIZE,             "type-size",             "the type has %u bytes")
WHY(GENERIC_SIZE,          "generic-size",          "the generic type has %u bytes")
WHY(NO_BYTES,              "no-bytes",              "no bytes to read")
WHY(RELATIVE_ADDRESS,      "relative-address",      "a relative address")
WHY(PLACE_NOT_ALONE,       "place-not-alone",       "follows other operators of its location")
WHY(PLACE_NOT_LAST,        "place-not-last",
	"only a piece may follow the operator before it")
WHY(BRANCH_OUTSIDE,        "branch-outside",        "outside of the expression's %u bytes")
WHY(PIECE_TOO_LARGE,       "piece-too-large",       "larger than can be")
WHY(TOO_MANY_PIECES,       "too-many-pieces",       "more than %u pieces")
WHY(LAST_WITHOUT_PIECE,    "last-without-piece",    "the last location is not followed by a piece")
WHY(TOO_MANY_OPERATORS,    "too-many-operators",    "too many operators")
WHY(NESTED_TOO_DEEPLY,     "nested-too-deeply",     "expressions are nested too deeply")
WHY(UNIT_SENSELESS,        "unit-senseless",
	"the unit's sizes of addresses and offsets make no sense")
WHY(UNIT_SIZES,            "unit-sizes",
	"unit with %u bytes to an address and %u to an offset")
WHY(OPERATOR_UNKNOWN,      "operator-unknown",      "operator %b at +%x: unknown")
WHY(OPERATOR_ENCODING,     "operator-encoding",     "%o at +%x: unknown pointer encoding %b")
WHY(OPERATOR_SHORT,        "operator-short",        "%o at +%x: expected %u byte%p, have %u")

/* Attributes and location lists. */
WHY(SECTION_SHORT,         "section-short",         "%s+%x: expected %u byte%p, have %u")
WHY(LIST_ADDRESS,          "list-address",          "%s+%x: no entry %u in .debug_addr")
WHY(LIST_ENTRY_KIND,       "list-entry-kind",       "%s+%x: %b is no kind of entry")
WHY(RANGES_FORM,           "ranges-form",           "form %x is not one for ranges")
WHY(RANGES_INDEX,          "ranges-index",          ".debug_rnglists: no list %u")
WHY(LIST_UNREADABLE,       "list-unreadable",       "location list: %s")
WHY(LIST_UNKNOWN,          "list-unknown",          ".debug_loclists: no such list")
WHY(CONSTANT_UNREADABLE,   "constant-unreadable",   "constant: %s")
WHY(CONSTANT_FORM,         "constant-form",         "constant of form %x: %s")
WHY(EXPRESSION_UNREADABLE, "expression-unreadable", "expression: %s")
WHY(LOCATION_FORM,         "location-form",         "form %x is not one for a location")

/* Types whose values are not read. */
WHY(TYPE_VOID,             "type-void",             "void has no values")
WHY(TYPE_FUNCTION,         "type-function",         "a function has no value")
WHY(TYPE_UNSPECIFIED,      "type-unspecified",      "an unspecified type has no values")
WHY(TYPE_WITHOUT_VALUES,   "type-without-values",   "a type without values")
WHY(TYPE_INCOMPLETE,       "type-incomplete",       "incomplete type")
WHY(TYPE_UNTOLD,           "type-untold",           "no DW_AT_type says what it is")
WHY(TYPE_NOWHERE,          "type-nowhere",          "DW_AT_type refers to no DIE")
WHY(TYPE_UNSIZED,          "type-unsized",          "a base type without a size")
WHY(TYPE_BITS,             "type-bits",             "a base type with more bits than its bytes")
WHY(TYPE_WIDE_INTEGER,     "type-wide-integer",     "integers of over 512 bits are not read")
WHY(TYPE_FLOAT_FORMAT,     "type-float-format",     "a float of a format that is not known")
WHY(TYPE_DECIMAL_FLOAT,    "type-decimal-float",    "decimal floats are not read")
WHY(TYPE_ENCODING,         "type-encoding",         "values of encoding %E are not read")
WHY(TYPE_WIDE_POINTER,     "type-wide-pointer",     "a pointer of over 64 bits")
WHY(TYPE_KIND,             "type-kind",             "types of the kind %T are not read")
WHY(TYPE_TAG,              "type-tag",              "%T is not read")
WHY(LANGUAGE,              "language",              "of %L only plain base types are read")
WHY(VARIANT,               "variant",               "no variant has the discriminant %u")
WHY(VARIANT_UNTOLD,        "variant-untold",
	"it is one of %u variants, and no discriminant says which")
WHY(VARIANT_NONE,          "variant-none",          "a type without variants has no values")
WHY(TYPE_ATTRIBUTE,        "type-attribute",        "%A is not read")
WHY(TYPE_SIGNATURE,        "type-signature",        "no type unit has its signature %x")
WHY(TYPE_NESTING,          "type-nesting",          "types nested too deeply")
WHY(TYPE_RECURSIVE,        "type-recursive",        "a type that contains itself")
WHY(TYPE_MEMBER,           "type-member",           "a member that does not fit its place")
WHY(TYPE_LARGE_ARRAY,      "type-large-array",      "an array larger than memory")
WHY(TYPE_LARGE,            "type-large",            "%.150s is larger than memory")
WHY(SIZE_UNKNOWN,          "size-unknown",          "the size of %.150s is not known")

/* Objects and their parts. */
WHY(REGISTER_BITS,         "register-bits",
	"%R has %u bits, bits %u to %u of it are asked for")
WHY(VALUE_BITS,            "value-bits",
	"the value has %u bits, bits %u to %u of it are asked for")
WHY(IMPLICIT_BITS,         "implicit-bits",
	"the implicit value has %u bytes, bits %u to %u of it are asked for")
WHY(POINTER_BITS,          "pointer-bits",          "an implicit pointer has no bits")
WHY(POINTER_TYPE,          "pointer-type",          "an implicit pointer, but the type is %.150s")
WHY(POINTER_TARGET,        "pointer-target",
	"nobody can tell what the implicit pointer points to")
WHY(VARIES,                "varies",                "%s varies, and nobody can tell it here")
WHY(MEMBER_VARIES,         "member-varies",
	"the member's place varies, and the object is not in memory")

/* Paths that people write. */
WHY(PATH_NAME,             "path-name",             "expected a member's name at '%.100s'")
WHY(PATH_NUMBER,           "path-number",           "expected a number at '%.100s'")
WHY(PATH_BRACKET,          "path-bracket",          "expected ']' at '%.100s'")
WHY(PATH_STEP,             "path-step",             "expected '.', '->' or '[' at '%.100s'")
WHY(PATH_NO_POINTER,       "path-no-pointer",       "%.150s is not a pointer")
WHY(PATH_ARROW,            "path-arrow",            "%.150s is a pointer: use ->")
WHY(PATH_NO_MEMBERS,       "path-no-members",       "%.150s has no members")
WHY(PATH_NO_ARRAY,         "path-no-array",         "%.150s is neither an array nor a pointer")
WHY(PATH_INDEX,            "path-index",            "index %d is outside of %.150s")
WHY(PATH_MEMBER,           "path-member",           "no member '%m' in %.100s")
WHY(PATH_NEAR_MEMBER,      "path-near-member",      "no member '%m' in %.60s: is '%.60s' meant?")
WHY(PATH_COMPLEX,          "path-complex",
	"no member '%m' in %.100s, which has real and imag")

WHY(PATH_LIBRARY,          "path-library",
	"%.120s is not laid out as libstdc++ 12 does it: write its members")
WHY(PATH_EMPTY,            "path-empty",            "%.150s has no value")

/* Frames. */
WHY(FRAME_REGISTER,        "frame-register",        "%r was not saved")
WHY(FRAME_NO_REGISTER,     "frame-no-register",     "register %u is not there")
WHY(FRAME_UNDEFINED,       "frame-undefined",       "%r is undefined")
WHY(FRAME_MEMORY,          "frame-memory",          "cannot read %u bytes at %x")
WHY(FRAME_ADDRESS_SPACE,   "frame-address-space",   "no address space %u")
WHY(FRAME_NO_MODULE,       "frame-no-module",       "%x is in no module")
WHY(FRAME_NO_CFI,          "frame-no-cfi",          "%s: no call frame information for %x")
WHY(FRAME_NOT_OUTSIDE,     "frame-not-outside",
	"frame %u, at %x, does not lie outside of its callee")
WHY(FRAME_TOO_MANY,        "frame-too-many",        "more than %u frames")

/* Call frame information. */
WHY(CFI_UNREADABLE,        "cfi-unreadable",        "%s: %s: cannot be read: %s")
WHY(CFI_NO_CFA,            "cfi-no-cfa",            "no CFA at %x")
WHY(CFI_NO_ADDRESS,        "cfi-no-address",
	"a call frame expression that does not come to an address")
WHY(CFI_NO_RETURN,         "cfi-no-return",         "no rule for the return address at %x")
WHY(CFI_ENCODING,          "cfi-encoding",          "pointer encoding %b is not known")
WHY(CFI_INDIRECT,          "cfi-indirect",
	"pointer encoding %b: indirect, and only the process could tell")
WHY(CFI_NO_BASE,           "cfi-no-base",           "pointer encoding %b has no base here")
WHY(CFI_ENTRY_SIZE,        "cfi-entry-size",        "an entry of %u bytes, the section has %u")
WHY(CFI_CIE_VERSION,       "cfi-cie-version",       "CIE of version %u")
WHY(CFI_CIE_SIZES,         "cfi-cie-sizes",
	"CIE with addresses of %u and segments of %u bytes")
WHY(CFI_RETURN_COLUMN,     "cfi-return-column",     "return address in column %u")
WHY(CFI_AUGMENTATION,      "cfi-augmentation",      "unknown augmentation \"%.16s\"")
WHY(CFI_NO_CIE,            "cfi-no-cie",            "no CIE at %x")
WHY(CFI_FDE_SIZE,          "cfi-fde-size",          "FDE of %x bytes at %x")
WHY(CFI_CIE_ADVANCES,      "cfi-cie-advances",      "a CIE that advances")
WHY(CFI_CIE_RESTORES,      "cfi-cie-restores",      "a CIE that restores")
WHY(CFI_GOES_BACK,         "cfi-goes-back",         "location goes back")
WHY(CFI_PAST_MEMORY,       "cfi-past-memory",       "location past the end of memory")
WHY(CFI_HALF_CFA,          "cfi-half-cfa",
	"changes half of a CFA that is not register and offset")
WHY(CFI_TOO_MANY_STATES,   "cfi-too-many-states",   "too many remembered states")
WHY(CFI_NO_STATE,          "cfi-no-state",          "no state to restore")
WHY(CFI_INSTRUCTION,       "cfi-instruction",       "call frame instruction %b is not known")
WHY(CFI_LONG_EXPRESSION,   "cfi-long-expression",   "expression too long")
/* clang-format on */
