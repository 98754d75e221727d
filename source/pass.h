/* pass.h - what the mutators share: one pass over one text, with its tokens, the uses of macros,
 * the edits and the dice. For the files mutate*.c only. */
#ifndef SRC_PASS_H
#define SRC_PASS_H

#include "base/map.h"
#include "source/clang.h"
#include "source/edit.h"
#include "source/lex.h"
#include "source/mutate.h"
#include "source/parse.h"

struct src_span {
	unsigned begin, end; /* offsets: [begin, end) */
};

struct src_pass {
	const struct src_unit *unit;
	const struct src_mutate *how;
	double chance;                  /* of this mutator */
	struct src_tokens tokens;       /* of the text */
	XS_VEC(struct src_span) macros; /* where macros are used, arguments included; by offset */
	struct xs_map declared;         /* by the hash of a name: how often, as what (below) */
	bool packed;                    /* there may be packed types in it */
	struct src_edits edits;         /* what is to be done */
	uint64_t applied;               /* how many places were changed */
	uint64_t dice;                  /* state of the generator */
	char *prefix;                   /* no name in the text begins with it */
	unsigned names;                 /* made so far */
};

/* What is summed up in `declared`. */
#define SRC_DECLARED_TYPE     ((uint64_t)1)
#define SRC_DECLARED_OTHER    ((uint64_t)1 << 24) /* a function or an enumerator */
#define SRC_DECLARED_VARIABLE ((uint64_t)1 << 48)

void src_pass_init(struct src_pass *pass, const struct src_unit *unit, const struct src_mutate *how,
	enum src_mutator mutator, uint64_t seed);
void src_pass_deinit(struct src_pass *pass);

/* A number, the next of the seed's. */
uint64_t src_roll(struct src_pass *pass);
/* One of [0, count). */
size_t src_pick(struct src_pass *pass, size_t count);
/* Whether it is to be, with the given chance. */
bool src_flip(struct src_pass *pass, double chance);

/* --- places in the text --- */

/* Whether an offset lies in the use of a macro. */
bool src_in_macro(const struct src_pass *pass, unsigned offset);
/* Whether there is a directive in [begin, end). */
bool src_has_directive(const struct src_pass *pass, unsigned begin, unsigned end);
/* Where a cursor's text lies. False if it cannot be cut out: it is not in the file, a macro's use
 * begins or ends it, or it has a directive in it. */
bool src_span_of(const struct src_pass *pass, CXCursor cursor, struct src_span *ret);
/* Where a statement's text lies, up to the end of its semicolon. False as for src_span_of(). */
bool src_statement_span(const struct src_pass *pass, CXCursor cursor, struct src_span *ret);

/* Whether a token is this text. */
bool src_token_is(const struct src_pass *pass, size_t token, const char *text);
/* The next token behind `token` that is no comment; tokens.vec.len if there is none. */
size_t src_token_next(const struct src_pass *pass, size_t token);
/* The one before that is no comment; SIZE_MAX if there is none. */
size_t src_token_before(const struct src_pass *pass, size_t token);
/* The token that closes the bracket at `token`; tokens.vec.len if nothing does. */
size_t src_token_closing(const struct src_pass *pass, size_t token);
/* Whether one of these words (up to a NULL) is among the tokens of [begin, end). */
bool src_has_word(
	const struct src_pass *pass, unsigned begin, unsigned end, const char *const *words);
/* Where the declarator ends whose name is at `name`: the index of the `=`, `,`, `;`, `:`, `{`, or
 * the word behind it (an attribute, asm); tokens.vec.len if that cannot be said. */
size_t src_declarator_end(const struct src_pass *pass, size_t name);

/* --- cursors --- */

/* Calls on(pass, definition, body, data) for each function that is defined in the text and can be
 * mutated: not from a macro, a system header, or naked. */
void src_each_function(struct src_pass *pass,
	void (*on)(struct src_pass *pass, CXCursor function, CXCursor body, void *data),
	void *data);
/* The text of a type, with which a variable can be declared where an expression of that type is;
 * NULL if it is not safe to: of no name, or one that may mean something else there. To be freed. */
char *src_type_text(const struct src_pass *pass, CXType type);
/* `type name`, whatever the type. To be freed. */
char *src_declare(const char *type, const char *name);
/* Whether an expression has nothing in it that could change: no variable, no call. (In tree.c.) */
bool src_is_fixed(CXCursor cursor);
/* Whether there is a compound literal in an expression: it lives as long as the block that it is
 * written in, so that none of ours may be put around it. */
bool src_has_literal(CXCursor cursor);
bool src_cursor_is(CXCursor cursor, enum CXCursorKind kind);
/* The spelling; to be freed. */
char *src_name_of(CXCursor cursor);

/* Words in functions that want their statements as they are, for src_has_word(). */
extern const char *const src_untouchable[];

/* --- the mutators: one round each over the text of the pass --- */
void src_mutate_flow(struct src_pass *pass); /* RCL: statements and declarations */
void src_mutate_expr(struct src_pass *pass); /* RCL: expressions */
void src_mutate_fco(struct src_pass *pass);
void src_mutate_asm(struct src_pass *pass);
void src_mutate_ocp(struct src_pass *pass);
void src_mutate_probes(struct src_pass *pass);

#endif
