/* code_kind.c - in which way two functions differ. */
#include "oracle/code/code_compare.h"

#include "base/map.h"

enum {
	WINDOW = 64, /* instructions in which both sides must meet again */
	MEET = 4,    /* of them in a row that must then be equal */
};

/* A function's instructions without nops. */
struct view {
	const struct ora_code *code;
	const struct ora_atom *atom;
	XS_VEC(size_t) insns; /* indices */
};

static void view_init(struct view *view, const struct ora_code *code, const struct ora_atom *atom)
{
	*view = (struct view){.code = code, .atom = atom};
	for (size_t i = atom->first; i < atom->end; i++)
		if (!code->insns.data[i].parts.nop)
			xs_vec_push(&view->insns, i);
}

static const struct ora_insn *at(const struct view *view, size_t i)
{
	return &view->code->insns.data[view->insns.data[i]];
}

/* Whether two instructions are the same, as far as that can be told without knowing which data is
 * which. */
static bool is_alike(const struct view *a, size_t i, const struct view *b, size_t k)
{
	const struct ora_insn *x = at(a, i), *y = at(b, k);
	const struct ora_atom *atoms[2];
	int64_t offset;
	if (x->key == y->key || x->opaque != y->opaque || x->targets != y->targets)
		return x->key == y->key;
	for (unsigned t = 0; t < x->targets; t++)
		if (!ora_code_meet(a->code, &x->target[t], b->code, &y->target[t], atoms, &offset))
			return false;
	return true;
}

/* Whether it goes to another place of its own function. */
static bool is_inner_jump(const struct view *view, const struct ora_insn *insn)
{
	int64_t offset;
	return insn->parts.branch && insn->targets &&
	       ora_code_atom(view->code, &insn->target[0], &offset) == view->atom;
}

/* The keys that have other counts in the two stretches; jumps inside the functions can be left out.
 */
static size_t count_unequal(const struct view *a, size_t a_lo, size_t a_hi, const struct view *b,
	size_t b_lo, size_t b_hi, bool jumps)
{
	struct xs_map counts = {0};
	size_t unequal = 0;
	for (size_t i = a_lo; i < a_hi; i++)
		if (jumps || !is_inner_jump(a, at(a, i)))
			++*xs_map_at(&counts, at(a, i)->key, 0);
	for (size_t i = b_lo; i < b_hi; i++)
		if (jumps || !is_inner_jump(b, at(b, i)))
			--*xs_map_at(&counts, at(b, i)->key, 0);
	for (size_t i = 0; i < counts.cap; i++)
		unequal += counts.slots[i].used && counts.slots[i].value != 0;
	xs_map_deinit(&counts);
	return unequal;
}

static bool has_branch(const struct view *view, size_t lo, size_t hi)
{
	for (size_t i = lo; i < hi; i++)
		if (at(view, i)->parts.branch || at(view, i)->parts.jump)
			return true;
	return false;
}

/* Whether two functions go on with the same instructions in the same order, jumps inside them left
 * out. */
static bool is_same_order(const struct view *a, const struct view *b, size_t from)
{
	for (size_t i = from, k = from;; i++, k++) {
		while (i < a->insns.len && is_inner_jump(a, at(a, i)))
			i++;
		while (k < b->insns.len && is_inner_jump(b, at(b, k)))
			k++;
		if (i == a->insns.len || k == b->insns.len)
			return i == a->insns.len && k == b->insns.len;
		if (!is_alike(a, i, b, k))
			return false;
	}
}

/* Whether both sides go on alike from there, for a while or to the end. */
static bool meet(const struct view *a, size_t i, const struct view *b, size_t k)
{
	size_t run = 0;
	while (run < MEET && i + run < a->insns.len && k + run < b->insns.len)
		if (!is_alike(a, i + run, b, k + run))
			return false;
		else
			run++;
	return run == MEET || (i + run == a->insns.len && k + run == b->insns.len);
}

/* How far both sides are from where they first meet again behind `from`; false if they do not soon.
 */
static bool find_meeting(
	const struct view *a, const struct view *b, size_t from, size_t *in_a, size_t *in_b)
{
	for (size_t sum = 1; sum <= 2 * WINDOW; sum++)
		for (size_t i = 0; i <= sum; i++)
			if (from + i <= a->insns.len && from + sum - i <= b->insns.len &&
				meet(a, from + i, b, from + sum - i)) {
				*in_a = i;
				*in_b = sum - i;
				return true;
			}
	return false;
}

/* Two instructions in the same place. */
static enum ora_code_kind kind_of_pair(const struct ora_insn *x, const struct ora_insn *y)
{
	if (x->parts.shape != y->parts.shape)
		return ORA_CODE_OTHER;
	return x->parts.registers != y->parts.registers ? ORA_CODE_REGISTER : ORA_CODE_OPERAND;
}

static enum ora_code_kind classify(
	const struct view *a, const struct view *b, size_t from, struct ora_code_difference *ret)
{
	size_t in_a = 0, in_b = 0;
	bool met = find_meeting(a, b, from, &in_a, &in_b);
	ret->met = met;
	ret->spans[0] = in_a;
	ret->spans[1] = in_b;
	if (met && !in_a)
		return ORA_CODE_EXTRA;
	if (met && !in_b)
		return ORA_CODE_MISSING;
	if (met && !has_branch(a, from, from + in_a) && !has_branch(b, from, from + in_b) &&
		!count_unequal(a, from, from + in_a, b, from, from + in_b, true))
		return ORA_CODE_ORDER;
	if (!count_unequal(a, from, a->insns.len, b, from, b->insns.len, false) &&
		!is_same_order(a, b, from))
		return ORA_CODE_LAYOUT;
	if (from == a->insns.len)
		return ORA_CODE_EXTRA;
	if (from == b->insns.len)
		return ORA_CODE_MISSING;
	return kind_of_pair(at(a, from), at(b, from));
}

bool ora_code_kind_of(const struct ora_code *a, const struct ora_atom *x, const struct ora_code *b,
	const struct ora_atom *y, struct ora_code_difference *ret)
{
	struct view left, right;
	size_t from = 0;
	view_init(&left, a, x);
	view_init(&right, b, y);
	while (from < left.insns.len && from < right.insns.len &&
		is_alike(&left, from, &right, from))
		from++;
	bool differ = from < left.insns.len || from < right.insns.len;
	if (differ) {
		ret->kind = classify(&left, &right, from, ret);
		ret->insns[0] = from < left.insns.len ? left.insns.data[from] : ORA_CODE_NO_INSN;
		ret->insns[1] = from < right.insns.len ? right.insns.data[from] : ORA_CODE_NO_INSN;
	}
	xs_vec_deinit(&left.insns);
	xs_vec_deinit(&right.insns);
	return differ;
}

const char *ora_code_kind_text(enum ora_code_kind kind)
{
	static const char *const words[ORA_CODE_KINDS] = {"extra", "missing", "register", "operand",
		"other", "order", "layout", "target", "function", "data", "symbol", "unwind",
		"padding", "encoding"};
	return words[kind];
}

const char *ora_code_kind_means(enum ora_code_kind kind)
{
	static const char *const sentences[ORA_CODE_KINDS] = {
		"with debug information there are more instructions",
		"with debug information there are fewer instructions",
		"the same instruction works on other registers",
		"the same instruction has another operand",
		"another instruction stands in its place",
		"the same instructions stand in another order",
		"the same code is laid out in another order",
		"a jump leads to another place",
		"only one of the two has this function",
		"the code is the same, but data that it uses is not",
		"the code is the same, but a name that other objects see is not",
		"the code is the same, but the unwind tables are not",
		"only padding or alignment differs",
		"only the encoding of jumps differs",
	};
	return sentences[kind];
}
