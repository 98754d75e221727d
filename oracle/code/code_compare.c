#include "oracle/code/code_compare.h"

#include "base/map.h"
#include "base/search.h"

/* Two places in functions that must be the same instruction, once all functions are compared. */
struct label {
	const struct ora_atom *atoms[2]; /* what is referred to */
	int64_t offsets[2];
	const struct ora_atom *from[2]; /* who refers to it: code or data */
	size_t insns[2];
};

/* Data that was found to be meant by both sides in the same place. */
struct task {
	const struct ora_atom *atoms[2];
	const struct ora_atom *from[2]; /* the code that led there */
	size_t insns[2];
};

struct pairing {
	const struct ora_code *a, *b;
	struct ora_code_comparison *out;
	struct xs_map forward, backward; /* index of an atom -> index of its partner */
	struct xs_map unequal;           /* indices of a's functions that differ */
	XS_VEC(struct label) labels;
	XS_VEC(struct task) tasks;
};

static uint64_t index_of(const struct ora_code *code, const struct ora_atom *atom)
{
	return (uint64_t)(atom - code->atoms.data);
}

static const char *name_of(const struct ora_code *code, const struct ora_atom *atom)
{
	return atom->name ? atom->name : code->sections.data[atom->section].name;
}

static const char *section_of(const struct ora_code *code, const struct ora_atom *atom)
{
	return code->sections.data[atom->section].name;
}

/* A difference in what is no atom. */
static struct ora_code_difference *report_place(
	struct pairing *pairing, enum ora_code_kind kind, const char *where)
{
	struct ora_code_difference one = {
		.kind = kind, .where = where, .insns = {ORA_CODE_NO_INSN, ORA_CODE_NO_INSN}};
	xs_vec_push(&pairing->out->differences, one);
	return &pairing->out->differences.data[pairing->out->differences.len - 1];
}

static struct ora_code_difference *report(struct pairing *pairing, enum ora_code_kind kind,
	const struct ora_atom *x, const struct ora_atom *y)
{
	struct ora_code_difference *one =
		report_place(pairing, kind, x ? name_of(pairing->a, x) : name_of(pairing->b, y));
	one->atoms[0] = x;
	one->atoms[1] = y;
	return one;
}

/* Whether two atoms can be partners, and from now on are. *fresh: they were not before. */
static bool pair(
	struct pairing *pairing, const struct ora_atom *x, const struct ora_atom *y, bool *fresh)
{
	uint64_t left = index_of(pairing->a, x), right = index_of(pairing->b, y);
	const uint64_t *there = xs_map_find(&pairing->forward, left, 0),
		       *back = xs_map_find(&pairing->backward, right, 0);
	*fresh = !there && !back;
	if (!*fresh)
		return there && back && *there == right && *back == left;
	if (x->code != y->code || x->key != y->key || x->global != y->global)
		return false;
	*xs_map_at(&pairing->forward, left, 0) = right;
	*xs_map_at(&pairing->backward, right, 0) = left;
	return true;
}

/* --- functions with each other --------------------------------------------------------------- */

static bool has_partner(const struct xs_map *map, uint64_t index)
{
	return xs_map_find(map, index, 0);
}

/* Pairs functions of one name; of those that share it the first with the first. By the name without
 * numbers, once those that agree in them have found each other. */
static void pair_functions(struct pairing *pairing, bool exact)
{
	const struct ora_code *a = pairing->a, *b = pairing->b;
	struct xs_map by_name = {0}; /* (key, n) -> index of b's n-th of that key, plus 1 */
	for (size_t k = 0; k < b->atoms.len; k++) {
		const struct ora_atom *atom = &b->atoms.data[k];
		if (!atom->code || has_partner(&pairing->backward, k))
			continue;
		uint64_t key = exact ? xs_hash_text(1, name_of(b, atom)) : atom->key;
		uint64_t n = ++*xs_map_at(&by_name, key, 0);
		*xs_map_at(&by_name, key, n) = k + 1;
	}
	struct xs_map used = {0};
	for (size_t i = 0; i < a->atoms.len; i++) {
		const struct ora_atom *atom = &a->atoms.data[i];
		bool fresh;
		if (!atom->code || has_partner(&pairing->forward, i))
			continue;
		uint64_t key = exact ? xs_hash_text(1, name_of(a, atom)) : atom->key;
		const uint64_t *found = xs_map_find(&by_name, key, *xs_map_at(&used, key, 0) + 1);
		if (found && pair(pairing, atom, &b->atoms.data[*found - 1], &fresh))
			++*xs_map_at(&used, key, 0);
	}
	xs_map_deinit(&by_name);
	xs_map_deinit(&used);
}

/* Functions that only one side has. */
static void report_lonely(struct pairing *pairing)
{
	for (size_t i = 0; i < pairing->a->atoms.len; i++)
		if (pairing->a->atoms.data[i].code && !has_partner(&pairing->forward, i))
			report(pairing, ORA_CODE_FUNCTION, &pairing->a->atoms.data[i], NULL);
	for (size_t i = 0; i < pairing->b->atoms.len; i++)
		if (pairing->b->atoms.data[i].code && !has_partner(&pairing->backward, i))
			report(pairing, ORA_CODE_FUNCTION, NULL, &pairing->b->atoms.data[i]);
}

/* --- what they refer to ---------------------------------------------------------------------- */

static bool check_target(struct pairing *pairing, const struct ora_target *x,
	const struct ora_target *y, const struct task *from)
{
	size_t sizes[2];
	int64_t offsets[2] = {0};
	bool fresh;
	const uint8_t *left = ora_code_content(pairing->a, x, &sizes[0], &offsets[0]),
		      *right = ora_code_content(pairing->b, y, &sizes[1], &offsets[1]);
	if (x->type != y->type || x->traits != y->traits || !left != !right)
		return false;
	if (left)
		return sizes[0] == sizes[1] && offsets[0] == offsets[1] &&
		       !memcmp(left, right, sizes[0]);
	const struct ora_atom *p = ora_code_atom(pairing->a, x, &offsets[0]),
			      *q = ora_code_atom(pairing->b, y, &offsets[1]);
	if (!p != !q)
		return false;
	if (!p)
		return x->position == y->position && !x->name == !y->name &&
		       (!x->name || !strcmp(x->name, y->name));
	bool same = (p->code || offsets[0] == offsets[1]) && pair(pairing, p, q, &fresh);
	const struct ora_atom *meant[2];
	if (!same && ora_code_meet(pairing->a, x, pairing->b, y, meant, &offsets[0])) {
		p = meant[0];
		q = meant[1];
		offsets[1] = offsets[0];
		same = pair(pairing, p, q, &fresh);
	}
	if (!same)
		return false;
	if (p->code && (offsets[0] || offsets[1])) {
		struct label label = {{p, q}, {offsets[0], offsets[1]},
			{from->from[0], from->from[1]}, {from->insns[0], from->insns[1]}};
		xs_vec_push(&pairing->labels, label);
		return true;
	}
	struct task task = {
		{p, q}, {from->from[0], from->from[1]}, {from->insns[0], from->insns[1]}};
	if (fresh && !p->code)
		xs_vec_push(&pairing->tasks, task);
	return true;
}

/* Functions with the same instructions: do they refer to the same things? */
static bool check_targets(
	struct pairing *pairing, const struct ora_atom *x, const struct ora_atom *y)
{
	const struct ora_insn *left = pairing->a->insns.data, *right = pairing->b->insns.data;
	for (size_t i = x->first, k = y->first; i < x->end && k < y->end; i++, k++) {
		while (i < x->end && left[i].parts.nop)
			i++;
		while (k < y->end && right[k].parts.nop)
			k++;
		if (i == x->end || k == y->end)
			break;
		struct task from = {.from = {x, y}, .insns = {i, k}};
		for (unsigned t = 0; t < left[i].targets; t++) {
			if (check_target(pairing, &left[i].target[t], &right[k].target[t], &from))
				continue;
			struct ora_code_difference *one = report(pairing, ORA_CODE_OPERAND, x, y);
			one->insns[0] = i;
			one->insns[1] = k;
			return false;
		}
	}
	return true;
}

/* --- data ------------------------------------------------------------------------------------ */

/* The content of two atoms up to relocations; *offset is that of the first byte that differs. */
static bool is_same_data(struct pairing *pairing, const struct task *task, uint64_t *offset)
{
	const struct ora_atom *x = task->atoms[0], *y = task->atoms[1];
	const struct ora_code_section *left = &pairing->a->sections.data[x->section],
				      *right = &pairing->b->sections.data[y->section];
	uint64_t size[2] = {x->hi - x->lo, y->hi - y->lo}, at = 0;
	*offset = 0;
	if ((left->flags ^ right->flags) & (SHF_WRITE | SHF_TLS) ||
		ora_code_name_key(left->name) != ora_code_name_key(right->name))
		return false;
	if (x->name && size[0] != size[1])
		return false;
	if (!left->bytes != !right->bytes)
		return false;
	if (!left->bytes)
		return true;
	size_t i = ora_code_reloc_from(left, x->lo), k = ora_code_reloc_from(right, y->lo),
	       i_end = left->relocs.len, k_end = right->relocs.len;
	/* An unnamed atom ends where the next one begins: zeros before that are no content. */
	while (at < size[0] || at < size[1]) {
		const struct ora_code_reloc *p = i < i_end ? &left->relocs.data[i] : NULL,
					    *q = k < k_end ? &right->relocs.data[k] : NULL;
		/* Before `at`: several for one field. */
		bool here[2] = {p && p->offset <= x->lo + at && at < size[0],
			q && q->offset <= y->lo + at && at < size[1]};
		*offset = at;
		if (here[0] != here[1] || (here[0] && p->offset - x->lo != q->offset - y->lo))
			return false;
		if (!here[0]) {
			if ((at < size[0] ? left->bytes[x->lo + at] : 0) !=
				(at < size[1] ? right->bytes[y->lo + at] : 0))
				return false;
			at++;
			continue;
		}
		struct ora_target one = ora_code_data_target(pairing->a, p, x->lo),
				  two = ora_code_data_target(pairing->b, q, y->lo);
		if (!check_target(pairing, &one, &two, task))
			return false;
		uint64_t behind = p->offset - x->lo + ora_code_field(pairing->a, p->type);
		at = behind > at ? behind : at;
		i++;
		k++;
	}
	return true;
}

static void check_data(struct pairing *pairing)
{
	for (size_t i = 0; i < pairing->tasks.len; i++) {
		struct task task = pairing->tasks.data[i];
		uint64_t offset;
		if (is_same_data(pairing, &task, &offset))
			continue;
		struct ora_code_difference *one =
			report(pairing, ORA_CODE_DATA, task.atoms[0], task.atoms[1]);
		one->offset = offset;
		if (task.from[0]) {
			one->insns[0] = task.insns[0];
			one->insns[1] = task.insns[1];
		}
	}
}

/* Data that others can see, or go through. */
static bool is_seen(const struct ora_code *code, const struct ora_atom *atom)
{
	return !atom->code && ((atom->name && atom->global) ||
				      ora_code_is_walked(&code->sections.data[atom->section]));
}

/* The place of an atom in a map by name; of those that share one, the next that is asked for. */
static uint64_t *at_name(struct xs_map *by_name, struct xs_map *counts, const struct ora_code *code,
	const struct ora_atom *atom)
{
	uint64_t name = xs_hash_text(0, name_of(code, atom));
	return xs_map_at(by_name, name, (*xs_map_at(counts, name, 0))++);
}

/* What others can see: variables by name, what runs before main, sections that are gone through. */
static void add_exported(struct pairing *pairing)
{
	const struct ora_code *a = pairing->a, *b = pairing->b;
	struct xs_map by_name = {0}, counts[2] = {{0}};
	for (size_t k = 0; k < b->atoms.len; k++)
		if (is_seen(b, &b->atoms.data[k]))
			*at_name(&by_name, &counts[1], b, &b->atoms.data[k]) = k + 1;
	for (size_t i = 0; i < a->atoms.len; i++) {
		const struct ora_atom *atom = &a->atoms.data[i];
		if (!is_seen(a, atom))
			continue;
		uint64_t *found = at_name(&by_name, &counts[0], a, atom);
		bool fresh = false;
		if (!*found || !pair(pairing, atom, &b->atoms.data[*found - 1], &fresh))
			report(pairing, ORA_CODE_DATA, atom, NULL);
		struct task task = {.atoms = {atom, *found ? &b->atoms.data[*found - 1] : NULL}};
		if (fresh)
			xs_vec_push(&pairing->tasks, task);
		*found = 0;
	}
	for (size_t i = 0; i < by_name.cap; i++)
		if (by_name.slots[i].used && by_name.slots[i].value &&
			!has_partner(&pairing->backward, by_name.slots[i].value - 1))
			report(pairing, ORA_CODE_DATA, NULL,
				&b->atoms.data[by_name.slots[i].value - 1]);
	xs_map_deinit(&by_name);
	xs_map_deinit(&counts[0]);
	xs_map_deinit(&counts[1]);
}

/* --- places ---------------------------------------------------------------------------------- */

/* Which instruction of an atom a label stands for, nops not counted, and which byte of it. */
static uint64_t rank_of(const struct ora_code *code, const struct ora_atom *atom, int64_t offset)
{
	const struct ora_insn *insns = code->insns.data;
	uint64_t inside = 0;
	size_t i;
	xs_search(i, atom->first, atom->end, (int64_t)(insns[i].at - atom->lo) < offset);
	if (i > atom->first) {
		uint64_t before = (uint64_t)offset - (insns[i - 1].at - atom->lo);
		inside = before < insns[i - 1].parts.length ? before : 0;
	}
	return i < atom->end || inside ? (uint64_t)insns[i - !!inside].rank << 8 | inside
				       : UINT64_MAX;
}

static void check_labels(struct pairing *pairing)
{
	for (size_t i = 0; i < pairing->labels.len; i++) {
		const struct label *label = &pairing->labels.data[i];
		const struct ora_atom *from = label->from[0] ? label->from[0] : label->atoms[0];
		uint64_t index = index_of(pairing->a, label->atoms[0]),
			 own = index_of(pairing->a, from);
		if (has_partner(&pairing->unequal, index) || has_partner(&pairing->unequal, own) ||
			rank_of(pairing->a, label->atoms[0], label->offsets[0]) ==
				rank_of(pairing->b, label->atoms[1], label->offsets[1]))
			continue;
		struct ora_code_difference *one = report(pairing, ORA_CODE_TARGET, from,
			label->from[1] ? label->from[1] : label->atoms[1]);
		if (label->from[0]) {
			one->insns[0] = label->insns[0];
			one->insns[1] = label->insns[1];
		}
		*xs_map_at(&pairing->unequal, own, 0) = 1; /* once is enough */
	}
}

static const struct ora_atom *partner(const struct pairing *pairing, size_t index)
{
	const uint64_t *found = xs_map_find(&pairing->forward, index, 0);
	return found ? &pairing->b->atoms.data[*found] : NULL;
}

/* The function behind one in its section; NULL: it is the last. */
static const struct ora_atom *next_of(const struct ora_code *code, const struct ora_atom *atom)
{
	size_t next = index_of(code, atom) + 1;
	return next < code->sections.data[atom->section].end ? &code->atoms.data[next] : NULL;
}

/* The room up to it, or to the end of the section. */
static uint64_t room_behind(const struct ora_code *code, const struct ora_atom *atom)
{
	const struct ora_atom *next = next_of(code, atom);
	return (next ? next->lo : code->sections.data[atom->section].size) - atom->hi;
}

/* Whether two functions are aligned alike, and leave as much room to the next one, if that is the
 * same. */
static bool is_same_room(
	const struct pairing *pairing, const struct ora_atom *x, const struct ora_atom *y)
{
	const struct ora_atom *next = next_of(pairing->a, x), *other = next_of(pairing->b, y);
	if (pairing->a->sections.data[x->section].align !=
		pairing->b->sections.data[y->section].align)
		return false;
	if (!next != !other || (next && partner(pairing, index_of(pairing->a, next)) != other) ||
		(x->hi - y->hi) % 16 != 0)
		return true; /* that is another matter */
	return room_behind(pairing->a, x) == room_behind(pairing->b, y);
}

/* The nops from one instruction on. */
struct run {
	size_t from, end;
	uint64_t at, behind; /* where they begin, and what follows */
};

static struct run run_at(const struct ora_code *code, const struct ora_atom *atom, size_t from)
{
	struct run run = {from, from, atom->hi, atom->hi};
	while (run.end < atom->end && code->insns.data[run.end].parts.nop)
		run.end++;
	if (from < atom->end)
		run.at = code->insns.data[from].at;
	if (run.end < atom->end)
		run.behind = code->insns.data[run.end].at;
	return run;
}

/* Nops fill space up to a multiple of eight. Those that do not are instructions. */
static bool is_padding(const struct run *run)
{
	return run->from == run->end || run->behind % 8 == 0;
}

static bool is_same_run(
	const struct pairing *pairing, const struct run *left, const struct run *right)
{
	if (left->behind % 8 == 0 && right->behind % 8 == 0 && (left->at - right->at) % 16 != 0)
		return true; /* there is more to be filled, or less */
	if (left->end - left->from != right->end - right->from)
		return false;
	for (size_t i = 0; i < left->end - left->from; i++)
		if (pairing->a->insns.data[left->from + i].parts.length !=
			pairing->b->insns.data[right->from + i].parts.length)
			return false;
	return true;
}

static void report_run(struct pairing *pairing, const struct ora_atom *x, const struct ora_atom *y,
	const struct run *left, const struct run *right)
{
	size_t counts[2] = {left->end - left->from, right->end - right->from};
	enum ora_code_kind kind = is_padding(left) && is_padding(right) ? ORA_CODE_PADDING
				  : counts[0] > counts[1]               ? ORA_CODE_MISSING
									: ORA_CODE_EXTRA;
	struct ora_code_difference *one = report(pairing, kind, x, y);
	one->insns[0] = left->from < x->end ? left->from : ORA_CODE_NO_INSN;
	one->insns[1] = right->from < y->end ? right->from : ORA_CODE_NO_INSN;
	one->met = one->nops = true;
	memcpy(one->spans, counts, sizeof counts);
}

/* Functions that are the same otherwise: nops, lengths of jumps, and the room behind them. */
static void check_padding(
	struct pairing *pairing, const struct ora_atom *x, const struct ora_atom *y)
{
	struct run left = {.end = x->first}, right = {.end = y->first};
	while (left.end < x->end || right.end < y->end) {
		left = run_at(pairing->a, x, left.end);
		right = run_at(pairing->b, y, right.end);
		if (!is_same_run(pairing, &left, &right)) {
			report_run(pairing, x, y, &left, &right);
			return;
		}
		if (left.end >= x->end || right.end >= y->end)
			break;
		if (pairing->a->insns.data[left.end].parts.length !=
			pairing->b->insns.data[right.end].parts.length) {
			struct ora_code_difference *one = report(pairing, ORA_CODE_ENCODING, x, y);
			one->insns[0] = left.end;
			one->insns[1] = right.end;
			return;
		}
		left.end++;
		right.end++;
	}
	if (!is_same_room(pairing, x, y))
		report(pairing, ORA_CODE_PADDING, x, y);
}

/* Functions in another section, or behind another function. */
static void check_layout(struct pairing *pairing)
{
	const struct ora_code *a = pairing->a;
	const struct ora_atom *last = NULL, *other = NULL;
	for (size_t i = 0; i < a->atoms.len; i++) {
		const struct ora_atom *x = &a->atoms.data[i],
				      *y = x->code ? partner(pairing, i) : NULL;
		if (!y)
			continue;
		bool moved = ora_code_name_key(section_of(a, x)) !=
				     ora_code_name_key(section_of(pairing->b, y)) ||
			     (last && last->section == x->section && other->section == y->section &&
				     other->lo > y->lo);
		if (moved && !has_partner(&pairing->unequal, i)) {
			report(pairing, ORA_CODE_LAYOUT, x, y);
			*xs_map_at(&pairing->unequal, i, 0) = 1;
		}
		last = x;
		other = y;
	}
}

/* --- names ----------------------------------------------------------------------------------- */

/* Whether other objects can see a symbol. Names with numbers are made up anew each time. */
static bool is_exported(const struct ora_code *code, const struct ora_code_symbol *symbol)
{
	return symbol->binding != STB_LOCAL &&
	       (symbol->common || symbol->absolute ||
		       (symbol->section != ORA_CODE_NONE &&
			       code->sections.data[symbol->section].counts)) &&
	       !ora_code_has_numbers(symbol->name);
}

/* The atom that a symbol is in, and where; NULL: in none. */
static const struct ora_atom *atom_of(
	const struct ora_code *code, const struct ora_code_symbol *symbol, int64_t *offset)
{
	struct ora_target target = {.section = symbol->section,
		.position = (int64_t)symbol->value,
		.anchor = symbol->value};
	return ora_code_atom(code, &target, offset);
}

/* Whether two symbols of one name are in the same place. If that is in an atom that differs, or
 * that the other side does not have, that was told. */
static bool is_same_place(const struct pairing *pairing, const struct ora_code_symbol *x,
	const struct ora_code_symbol *y)
{
	int64_t offsets[2] = {0};
	if (x->section == ORA_CODE_NONE || y->section == ORA_CODE_NONE)
		return x->section == y->section && x->value == y->value;
	const struct ora_atom *p = atom_of(pairing->a, x, &offsets[0]),
			      *q = atom_of(pairing->b, y, &offsets[1]);
	if (!p || !q)
		return !p == !q;
	size_t index = index_of(pairing->a, p);
	if (!partner(pairing, index) || has_partner(&pairing->unequal, index))
		return true;
	if (partner(pairing, index) != q)
		return false;
	return p->code ? rank_of(pairing->a, p, offsets[0]) == rank_of(pairing->b, q, offsets[1])
		       : offsets[0] == offsets[1];
}

/* Two symbols of one name. */
static void check_symbol(
	struct pairing *pairing, const struct ora_code_symbol *x, const struct ora_code_symbol *y)
{
	bool code = x->section != ORA_CODE_NONE &&
		    pairing->a->sections.data[x->section].flags & SHF_EXECINSTR;
	if (x->common || y->common) { /* room that the linker makes: size and alignment */
		if (x->common != y->common || x->size != y->size || x->value != y->value)
			report_place(pairing, ORA_CODE_DATA, x->name);
	} else if (x->type != y->type || x->binding != y->binding ||
		   x->visibility != y->visibility || (!code && x->size != y->size) ||
		   !is_same_place(pairing, x, y)) {
		report_place(pairing, ORA_CODE_SYMBOL, x->name);
	}
}

/* A symbol that only one side has. If an atom is called by it, that is told already. */
static void report_symbol(
	struct pairing *pairing, const struct ora_code *code, const struct ora_code_symbol *symbol)
{
	int64_t offset = 0;
	const struct ora_atom *atom = atom_of(code, symbol, &offset);
	if (!atom || offset || atom->name != symbol->name)
		report_place(
			pairing, symbol->common ? ORA_CODE_DATA : ORA_CODE_SYMBOL, symbol->name);
}

static void check_symbols(struct pairing *pairing)
{
	const struct ora_code *a = pairing->a, *b = pairing->b;
	struct xs_map by_name = {0}; /* index of b's symbol, plus 1; 0: it was found */
	for (size_t k = 0; k < b->symbols.len; k++)
		if (is_exported(b, &b->symbols.data[k]))
			*xs_map_at(&by_name, xs_hash_text(0, b->symbols.data[k].name), 0) = k + 1;
	for (size_t i = 0; i < a->symbols.len; i++) {
		const struct ora_code_symbol *symbol = &a->symbols.data[i];
		if (!is_exported(a, symbol))
			continue;
		uint64_t *found = xs_map_at(&by_name, xs_hash_text(0, symbol->name), 0);
		if (*found)
			check_symbol(pairing, symbol, &b->symbols.data[*found - 1]);
		else
			report_symbol(pairing, a, symbol);
		*found = 0;
	}
	for (size_t k = 0; k < b->symbols.len; k++) {
		const struct ora_code_symbol *symbol = &b->symbols.data[k];
		if (is_exported(b, symbol) &&
			*xs_map_at(&by_name, xs_hash_text(0, symbol->name), 0) == k + 1)
			report_symbol(pairing, b, symbol);
	}
	xs_map_deinit(&by_name);
}

/* Sections, once all that is in them is the same. */
static void check_alignment(struct pairing *pairing)
{
	const struct ora_code *a = pairing->a, *b = pairing->b;
	struct xs_map by_name = {0};
	for (size_t k = 0; k < b->sections.len; k++)
		if (b->sections.data[k].counts)
			*xs_map_at(&by_name, xs_hash_text(0, b->sections.data[k].name),
				b->sections.data[k].twin) = k;
	for (size_t i = 0; i < a->sections.len; i++) {
		const struct ora_code_section *section = &a->sections.data[i];
		uint64_t name = xs_hash_text(0, section->name);
		const uint64_t *found =
			section->counts ? xs_map_find(&by_name, name, section->twin) : NULL;
		if (found && b->sections.data[*found].align != section->align)
			report_place(pairing, ORA_CODE_PADDING, section->name);
	}
	xs_map_deinit(&by_name);
}

/* --- all of it ------------------------------------------------------------------------------- */

static void compare_functions(struct pairing *pairing)
{
	for (size_t i = 0; i < pairing->a->atoms.len; i++) {
		const struct ora_atom *x = &pairing->a->atoms.data[i],
				      *y = x->code ? partner(pairing, i) : NULL;
		struct ora_code_difference how = {0};
		if (!y)
			continue;
		pairing->out->functions++;
		if (ora_code_kind_of(pairing->a, x, pairing->b, y, &how)) {
			struct ora_code_difference *one = report(pairing, how.kind, x, y);
			memcpy(one->insns, how.insns, sizeof one->insns);
			memcpy(one->spans, how.spans, sizeof one->spans);
			one->met = how.met;
			*xs_map_at(&pairing->unequal, i, 0) = 1;
		} else if (!check_targets(pairing, x, y)) {
			*xs_map_at(&pairing->unequal, i, 0) = 1;
		}
	}
}

void ora_code_compare(
	const struct ora_code *a, const struct ora_code *b, struct ora_code_comparison *ret)
{
	struct pairing pairing = {.a = a, .b = b, .out = ret};
	*ret = (struct ora_code_comparison){.sides = {a, b}};
	pair_functions(&pairing, true);
	pair_functions(&pairing, false);
	compare_functions(&pairing);
	report_lonely(&pairing);
	add_exported(&pairing);
	check_data(&pairing);
	check_labels(&pairing);
	check_layout(&pairing);
	check_symbols(&pairing);
	for (size_t i = 0; i < a->atoms.len; i++) {
		const struct ora_atom *x = &a->atoms.data[i],
				      *y = x->code ? partner(&pairing, i) : NULL;
		if (y && !has_partner(&pairing.unequal, i))
			check_padding(&pairing, x, y);
	}
	if (!ret->differences.len)
		check_alignment(&pairing);
	if (!ret->differences.len && !ora_code_same(a, b, true) && ora_code_same(a, b, false))
		report_place(&pairing, ORA_CODE_UNWIND, ".eh_frame");
	xs_map_deinit(&pairing.forward);
	xs_map_deinit(&pairing.backward);
	xs_map_deinit(&pairing.unequal);
	xs_vec_deinit(&pairing.labels);
	xs_vec_deinit(&pairing.tasks);
}

void ora_code_comparison_deinit(struct ora_code_comparison *comparison)
{
	xs_vec_deinit(&comparison->differences);
}

const struct ora_code_difference *ora_code_worst(const struct ora_code_comparison *comparison)
{
	/* What follows from nothing else is told first: code before data before padding. */
	static const unsigned rank[ORA_CODE_KINDS] = {[ORA_CODE_FUNCTION] = 1,
		[ORA_CODE_DATA] = 2,
		[ORA_CODE_SYMBOL] = 2,
		[ORA_CODE_UNWIND] = 3,
		[ORA_CODE_LAYOUT] = 1,
		[ORA_CODE_PADDING] = 4,
		[ORA_CODE_ENCODING] = 5};
	const struct ora_code_difference *best = NULL;
	for (size_t i = 0; i < comparison->differences.len; i++)
		if (!best || rank[comparison->differences.data[i].kind] < rank[best->kind])
			best = &comparison->differences.data[i];
	return best;
}
