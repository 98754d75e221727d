#include "dwarf/feature.h"

#include <dwarf.h>

#include "dwarf/attribute.h"
#include "dwarf/cfi.h"
#include "dwarf/op.h"
#include "dwarf/place.h"
#include "dwarf/ranges.h"
#include "dwarf/name_text.h"
#include "dwarf/scope.h"
#include "dwarf/tailcall.h"
#include "dwarf/type_name.h"
#include "dwarf/unit.h"
#include "dwarf/words.h"

enum {
	DEPTH_MAX = 100,
	NEST_MAX = 4, /* of expressions inside entry values */
	WORD_BITS = 64,
	RET = 0xc3, /* the instruction */
};

#define BIT(feature) (1ULL << DI_FEATURE_##feature)

const char *di_feature_text(enum di_feature feature)
{
	static const char *const texts[] = {
		[DI_FEATURE_BIT_FIELD] = "bit-field",
		[DI_FEATURE_PARAMETER] = "parameter",
		[DI_FEATURE_ARTIFICIAL] = "artificial",
		[DI_FEATURE_UNIT_WITHOUT_CODE] = "unit-without-code",
		[DI_FEATURE_STATIC] = "static",
		[DI_FEATURE_DYNAMIC_TYPE] = "dynamic-type",
		[DI_FEATURE_ABSTRACT_ORIGIN] = "abstract-origin",
		[DI_FEATURE_ORIGIN_CHAIN] = "origin-chain",
		[DI_FEATURE_ABSTRACT_ONLY] = "abstract-only",
		[DI_FEATURE_DECLARATION] = "declaration",
		[DI_FEATURE_SHADOWED] = "shadowed",
		[DI_FEATURE_NOT_YET_DECLARED] = "not-yet-declared",
		[DI_FEATURE_NAMESAKE] = "namesake-not-yet-declared",
		[DI_FEATURE_FUNCTION_ENTRY] = "function-entry",
		[DI_FEATURE_INLINED_ENTRY] = "inlined-entry",
		[DI_FEATURE_BLOCK_WITHOUT_CODE] = "block-without-code",
		[DI_FEATURE_OUTSIDE_BLOCK] = "outside-its-block",
		[DI_FEATURE_EMPTY_SCOPE_RANGE] = "empty-scope-range",
		[DI_FEATURE_SPLIT_FUNCTION] = "split-function",
		[DI_FEATURE_INLINED] = "inlined",
		[DI_FEATURE_NO_LOCATION] = "no-location",
		[DI_FEATURE_NOT_COVERED] = "not-covered",
		[DI_FEATURE_LIST] = "location-list",
		[DI_FEATURE_EMPTY_ENTRY] = "empty-entry",
		[DI_FEATURE_EMPTY_FIRST_ENTRY] = "empty-first-entry",
		[DI_FEATURE_DEFAULT_ENTRY] = "default-entry",
		[DI_FEATURE_OVERLAP] = "overlapping-entries",
		[DI_FEATURE_CONST_VALUE] = "const-value",
		[DI_FEATURE_CONST_BLOCK] = "const-block",
		[DI_FEATURE_BAD] = "malformed",
		[DI_FEATURE_STACK_VALUE] = "stack-value",
		[DI_FEATURE_IMPLICIT_VALUE] = "implicit-value",
		[DI_FEATURE_IMPLICIT_POINTER] = "implicit-pointer",
		[DI_FEATURE_ENTRY_VALUE] = "entry-value",
		[DI_FEATURE_ABSTRACT_CALLEE] = "abstract-callee",
		[DI_FEATURE_TAIL_CALLED] = "tail-called",
		[DI_FEATURE_POINTER_CALLED] = "pointer-called",
		[DI_FEATURE_AT_RETURN] = "at-return",
		[DI_FEATURE_GNU_OPERATOR] = "gnu-operator",
		[DI_FEATURE_CALL] = "call",
		[DI_FEATURE_TYPED] = "typed",
		[DI_FEATURE_WIDE] = "wide",
		[DI_FEATURE_PIECE] = "piece",
		[DI_FEATURE_BIT_PIECE] = "bit-piece",
		[DI_FEATURE_PIECE_GAP] = "piece-gap",
		[DI_FEATURE_PIECES_SHORT] = "pieces-short",
		[DI_FEATURE_VALUE_SHORT] = "value-short",
		[DI_FEATURE_DEREF_SIZE] = "deref-size",
		[DI_FEATURE_DIV] = "div",
		[DI_FEATURE_MOD] = "mod",
		[DI_FEATURE_COMPARISON] = "comparison",
		[DI_FEATURE_SHIFT] = "shift",
		[DI_FEATURE_TLS] = "tls",
		[DI_FEATURE_INDEXED] = "indexed",
		[DI_FEATURE_RESTORED] = "restored",
		[DI_FEATURE_REGISTER] = "call-clobbered-register",
		[DI_FEATURE_DATA16] = "data16-form",
	};
	return texts[feature];
}

/* --- expressions ------------------------------------------------------------------------------ */

struct expr {
	const struct di_expr_unit *unit;
	bool (*is_wide)(const void *arg, uint64_t die);
	const void *arg;
	uint64_t set;
	uint64_t bits; /* of all pieces so far */
	bool pieces;
};

/* A register that a callee need not preserve: rax, rdx, rcx, rsi, rdi, r8 to r11, and the vectors.
 */
static bool is_clobbered(uint64_t reg)
{
	return reg == 0 || reg == 1 || reg == 2 || reg == 4 || reg == 5 ||
	       (reg >= 8 && reg <= 11) || (reg >= 17 && reg <= 32);
}

static void look_expr(struct expr *expr, const uint8_t *data, size_t size, unsigned nesting);

static void look_op(struct expr *expr, const struct di_op *op, bool nowhere, unsigned nesting)
{
	for (unsigned i = 0; i < 2; i++) {
		if (op->info->form[i] == DI_OPERAND_TYPE && expr->is_wide && op->operand[i] &&
			expr->is_wide(expr->arg, op->operand[i] + expr->unit->die_base))
			expr->set |= BIT(WIDE);
		if (op->info->form[i] == DI_OPERAND_EXPR && op->block)
			look_expr(expr, op->block, op->operand[i], nesting + 1);
	}
	if (op->info->class == DI_OP_TYPED)
		expr->set |= BIT(TYPED);
	if (op->info->class == DI_OP_CALL)
		expr->set |= BIT(CALL);
	/* The register is the name's, or the first operand. */
	if (op->info->class == DI_OP_REGISTER || op->info->class == DI_OP_BASED) {
		bool named = op->code == DW_OP_regx || op->code == DW_OP_bregx;
		if (is_clobbered(named ? op->operand[0] : op->info->implied) &&
			op->code != DW_OP_fbreg)
			expr->set |= BIT(REGISTER);
	}
	if (op->info->class == DI_OP_PIECE) {
		bool bit = op->code == DW_OP_bit_piece;
		expr->set |= bit ? BIT(BIT_PIECE) : BIT(PIECE);
		expr->set |= nowhere ? BIT(PIECE_GAP) : 0;
		expr->bits += bit ? op->operand[0] : op->operand[0] * 8;
		expr->pieces = true;
	}
	switch (op->code) {
	case DW_OP_stack_value:
		expr->set |= BIT(STACK_VALUE);
		break;
	case DW_OP_implicit_value:
		expr->set |= BIT(IMPLICIT_VALUE);
		break;
	case DW_OP_implicit_pointer:
	case DW_OP_GNU_implicit_pointer:
		expr->set |= BIT(IMPLICIT_POINTER);
		break;
	case DW_OP_entry_value:
	case DW_OP_GNU_entry_value:
		expr->set |= BIT(ENTRY_VALUE);
		break;
	case DW_OP_GNU_parameter_ref:
	case DW_OP_GNU_variable_value:
		expr->set |= BIT(GNU_OPERATOR);
		break;
	case DW_OP_deref_size:
	case DW_OP_xderef_size:
		expr->set |= BIT(DEREF_SIZE);
		break;
	case DW_OP_deref_type:
	case DW_OP_GNU_deref_type:
		expr->set |= BIT(TYPED);
		break;
	case DW_OP_div:
		expr->set |= BIT(DIV);
		break;
	case DW_OP_mod:
		expr->set |= BIT(MOD);
		break;
	case DW_OP_lt:
	case DW_OP_le:
	case DW_OP_gt:
	case DW_OP_ge:
	case DW_OP_eq:
	case DW_OP_ne:
		expr->set |= BIT(COMPARISON);
		break;
	case DW_OP_shl:
	case DW_OP_shr:
	case DW_OP_shra:
		expr->set |= BIT(SHIFT);
		break;
	case DW_OP_form_tls_address:
	case DW_OP_GNU_push_tls_address:
		expr->set |= BIT(TLS);
		break;
	case DW_OP_addrx:
	case DW_OP_constx:
	case DW_OP_GNU_addr_index:
	case DW_OP_GNU_const_index:
		expr->set |= BIT(INDEXED);
		break;
	default:
		break;
	}
}

static void look_expr(struct expr *expr, const uint8_t *data, size_t size, unsigned nesting)
{
	struct di_answer answer;
	struct di_op op;
	bool nowhere = true; /* nothing said since the last piece */
	if (nesting > NEST_MAX)
		return;
	if (!size && !nesting)
		expr->set |= BIT(NO_LOCATION);
	for (size_t at = 0; at < size; at = op.next) {
		if (!di_op_decode(expr->unit, data, size, at, &op, &answer)) {
			expr->set |= BIT(BAD);
			return;
		}
		look_op(expr, &op, nowhere, nesting);
		nowhere = op.info->class == DI_OP_PIECE;
	}
}

uint64_t di_features_of_expr(const struct di_expr_unit *unit, const uint8_t *data, size_t size,
	uint64_t object_bits, bool (*is_wide)(const void *arg, uint64_t die), const void *arg)
{
	struct expr expr = {.unit = unit, .is_wide = is_wide, .arg = arg};
	look_expr(&expr, data, size, 0);
	if (expr.pieces && expr.bits < object_bits)
		expr.set |= BIT(PIECES_SHORT);
	bool value = (expr.set & BIT(STACK_VALUE)) && !(expr.set & BIT(TYPED));
	if (value && !expr.pieces && object_bits > 64)
		expr.set |= BIT(VALUE_SHORT);
	return expr.set;
}

static bool is_wide(const void *arg, uint64_t offset)
{
	const struct di_unit *unit = arg;
	Dwarf_Die die;
	Dwarf_Attribute attr;
	Dwarf_Word bits;
	if (!di_unit_die_at(unit, offset, &die))
		return false;
	if (dwarf_attr(&die, DW_AT_bit_size, &attr) && !dwarf_formudata(&attr, &bits))
		return bits > WORD_BITS;
	return dwarf_attr(&die, DW_AT_byte_size, &attr) && !dwarf_formudata(&attr, &bits) &&
	       bits * 8 > WORD_BITS;
}

/* --- the place -------------------------------------------------------------------------------- */

struct list {
	xs_addr pc;
	uint64_t set;
	size_t count;
	const uint8_t *data; /* of the first that covers the pc */
	size_t size, covering;
};

static void on_entry(void *arg, const struct di_place_entry *entry)
{
	struct list *list = arg;
	bool empty = !entry->is_default && entry->lo == entry->hi;
	list->set |= BIT(LIST);
	list->set |= empty ? BIT(EMPTY_ENTRY) : 0;
	list->set |= empty && !list->count ? BIT(EMPTY_FIRST_ENTRY) : 0;
	list->set |= entry->is_default ? BIT(DEFAULT_ENTRY) : 0;
	list->count++;
	if (entry->is_default || list->pc < entry->lo || list->pc >= entry->hi)
		return;
	if (list->covering++ &&
		(list->size != entry->size || memcmp(list->data, entry->data, list->size) != 0))
		list->set |= BIT(OVERLAP);
	if (list->covering == 1) {
		list->data = entry->data;
		list->size = entry->size;
	}
}

static void look_place(const struct di_variable *variable, xs_addr pc, struct di_features *ret)
{
	struct list list = {.pc = pc};
	struct di_place place;
	Dwarf_Die die = variable->die;
	char words[DI_WORDS];
	di_place_of_variable(variable->unit, &die, pc, &place, on_entry, &list);
	ret->set |= list.set;
	if (place.section)
		snprintf(ret->place, sizeof ret->place, "%s+0x%" PRIx64, place.section, place.list);
	else
		snprintf(ret->place, sizeof ret->place, "%s",
			place.attribute == DW_AT_const_value ? "DW_AT_const_value"
							     : "DW_AT_location");
	switch (place.kind) {
	case DI_PLACE_NONE:
		ret->set |= BIT(NO_LOCATION);
		snprintf(ret->place, sizeof ret->place, "no DW_AT_location");
		break;
	case DI_PLACE_ELSEWHERE:
		ret->set |= BIT(NOT_COVERED);
		break;
	case DI_PLACE_BAD:
		ret->set |= BIT(BAD);
		snprintf(ret->reason, sizeof ret->reason, "%s", di_why_text(&place.why, words));
		break;
	case DI_PLACE_CONSTANT:
		ret->set |= BIT(CONST_VALUE) | (place.bytes ? BIT(CONST_BLOCK) : 0);
		break;
	case DI_PLACE_EXPR: {
		const struct di_type *type = variable->type;
		/* The expression may be an origin's, of another unit with the same rules. */
		ret->set |= di_features_of_expr(place.expr.unit, place.expr.data, place.expr.size,
			type->size_known ? type->size * 8 : 0, is_wide, variable->unit);
		di_op_text_all(place.expr.unit, place.expr.data, place.expr.size, ret->expr,
			sizeof ret->expr);
		if (place.expr.size && place.expr.data[0] == DW_OP_addr)
			ret->set |= BIT(STATIC);
		break;
	}
	}
}

/* --- the leaf --------------------------------------------------------------------------------- */

/* How long the name is that a path begins with, if it is this one: a name may have dots in it, as
 * `_vptr.Base` has. */
static size_t begins_with(const char *path, const char *name)
{
	size_t length = strlen(name);
	return !strncmp(path, name, length) && strchr(".[", path[length]) ? length : 0;
}

/* The member that a path begins with, and how long its name is. */
static const struct di_member *find_member(
	const struct di_type *type, const char *path, unsigned depth, size_t *length)
{
	for (size_t i = 0; depth < DEPTH_MAX && i < type->members.len; i++) {
		const struct di_member *member = &type->members.data[i];
		const struct di_member *inner = NULL;
		if (member->name && (*length = begins_with(path, member->name)))
			return member;
		if (!member->name)
			inner = find_member(member->type, path, depth + 1, length);
		if (inner)
			return inner;
	}
	return NULL;
}

/* Whether an object of the type has a virtual base class somewhere: it says itself where. */
static bool has_virtual_base(const struct di_type *type, unsigned depth)
{
	for (size_t i = 0; depth < DEPTH_MAX && i < type->members.len; i++) {
		const struct di_member *member = &type->members.data[i];
		if (member->base_class &&
			(member->dynamic_offset || has_virtual_base(member->type, depth + 1)))
			return true;
	}
	return false;
}

/* What there is on the way from a variable to its leaf. */
static uint64_t look_path(const struct di_type *type, const char *path)
{
	uint64_t set = 0;
	path += strcspn(path, ".[");
	while (*path && type) {
		if (type->count_dynamic || type->data_elsewhere || type->bit_stride ||
			type->lower || has_virtual_base(type, 0))
			set |= BIT(DYNAMIC_TYPE);
		size_t length = 1 + strcspn(path + 1, ".[");
		if (*path == '[') {
			type = type->target;
		} else {
			size_t name = length - 1;
			const struct di_member *member = find_member(type, path + 1, 0, &name);
			Dwarf_Die die = member ? member->die : (Dwarf_Die){0};
			length = 1 + (member ? name : length - 1);
			set |= member && dwarf_hasattr(&die, DW_AT_artificial) ? BIT(ARTIFICIAL)
									       : 0;
			set |= member && member->bit_field ? BIT(BIT_FIELD) : 0;
			set |= member && member->dynamic_offset ? BIT(DYNAMIC_TYPE) : 0;
			type = member ? member->type : NULL;
		}
		path += length;
	}
	if (type && (type->count_dynamic || type->data_elsewhere))
		set |= BIT(DYNAMIC_TYPE);
	return set;
}

/* --- the variable ----------------------------------------------------------------------------- */

static bool has_origin(Dwarf_Die *die, Dwarf_Die *ret)
{
	Dwarf_Attribute attr;
	return dwarf_attr(die, DW_AT_abstract_origin, &attr) && di_formref_die(&attr, ret);
}

static void look_origin(Dwarf_Die die, struct di_features *ret)
{
	Dwarf_Die origin;
	if (!has_origin(&die, &origin))
		return;
	ret->set |= BIT(ABSTRACT_ORIGIN);
	if (has_origin(&origin, &die))
		ret->set |= BIT(ORIGIN_CHAIN);
}

static bool is_named(Dwarf_Die *die, const char *name)
{
	Dwarf_Attribute attr;
	const char *own = dwarf_formstring(di_attr_integrate(die, DW_AT_name, &attr));
	return own && !strcmp(own, name);
}

static bool is_declared_at(Dwarf_Die *die, uint32_t line)
{
	Dwarf_Attribute attr;
	Dwarf_Word at;
	return !line || (di_attr_integrate(die, DW_AT_decl_line, &attr) &&
				!dwarf_formudata(&attr, &at) && at == line);
}

/* Of a block: whether it has code at all, an empty range, and the pc. */
static void look_block(
	struct di_module *module, Dwarf_Die *die, xs_addr pc, bool *code, bool *empty, bool *holds)
{
	struct di_ranges ranges;
	struct xs_range range;
	*code = *empty = *holds = false;
	di_ranges_open(&ranges, di_unit_of(module, die), die);
	while (di_ranges_next(&ranges, &range)) {
		*empty |= range.lo == range.hi;
		*code |= range.lo != range.hi;
		*holds |= range.lo <= pc && pc < range.hi;
	}
}

struct search {
	struct di_module *module;
	xs_addr pc;
	const char *name;
	uint32_t line;
	uint64_t around; /* EMPTY_SCOPE_RANGE, if a block has one; DECLARATION, if there is one */
	uint64_t chain;  /* what is known of the origins of all that were found */
	bool found;
	uint64_t set; /* of what was found */
	uint64_t die;
};

/* Looks through all blocks of a function, in scope or not. */
static void search_in(struct search *search, Dwarf_Die *die, uint64_t around, unsigned depth)
{
	Dwarf_Die child;
	if (depth > DEPTH_MAX || dwarf_child(die, &child))
		return;
	do {
		int tag = dwarf_tag(&child);
		if (tag == DW_TAG_lexical_block || tag == DW_TAG_inlined_subroutine) {
			bool code, empty, holds;
			look_block(search->module, &child, search->pc, &code, &empty, &holds);
			search->around |= empty ? BIT(EMPTY_SCOPE_RANGE) : 0;
			search_in(search, &child,
				around | (!code ? BIT(BLOCK_WITHOUT_CODE) : 0) |
					(!holds ? BIT(OUTSIDE_BLOCK) : 0),
				depth + 1);
			continue;
		}
		if ((tag != DW_TAG_variable && tag != DW_TAG_formal_parameter) ||
			!is_named(&child, search->name))
			continue;
		if (dwarf_hasattr(&child, DW_AT_declaration)) {
			search->around |= BIT(DECLARATION);
		} else if (is_declared_at(&child, search->line)) {
			Dwarf_Die origin = child;
			if (has_origin(&origin, &origin))
				search->chain |= has_origin(&origin, &origin)
							 ? BIT(ORIGIN_CHAIN)
							 : BIT(ABSTRACT_ORIGIN);
			/* The one nearest to being visible. */
			if (!search->found || !(around & ~search->set)) {
				search->set = around;
				search->die = dwarf_dieoffset(&child);
			}
			search->found = true;
		}
	} while (!dwarf_siblingof(&child, &child));
}

/* Whether code lies in more than one stretch. */
static bool is_split(const struct di_block *function)
{
	Dwarf_Die die = function->die;
	struct di_ranges ranges;
	struct xs_range range;
	unsigned stretches = 0;
	di_ranges_open(&ranges, function->unit, &die);
	while (di_ranges_next(&ranges, &range))
		stretches += range.lo != range.hi;
	return stretches > 1;
}

/* Whether a block has an empty range, or one inside it. */
static bool has_empty_range(const struct di_unit *unit, Dwarf_Die *die, unsigned depth)
{
	struct di_ranges ranges;
	struct xs_range range;
	Dwarf_Die child;
	di_ranges_open(&ranges, unit, die);
	while (di_ranges_next(&ranges, &range))
		if (range.lo == range.hi)
			return true;
	if (depth > DEPTH_MAX || dwarf_child(die, &child))
		return false;
	do {
		int tag = dwarf_tag(&child);
		if ((tag == DW_TAG_lexical_block || tag == DW_TAG_inlined_subroutine) &&
			has_empty_range(unit, &child, depth + 1))
			return true;
	} while (!dwarf_siblingof(&child, &child));
	return false;
}

uint64_t di_features_of_frame(struct di_module *module, xs_addr pc)
{
	const struct di_scopes *scopes = di_scopes_at(module, pc);
	size_t count = scopes->activations.len;
	uint64_t set = di_module_has_data16(module) ? BIT(DATA16) : 0;
	for (size_t i = 0; i < count; i++) {
		const struct di_block *function = scopes->activations.data[i].function;
		Dwarf_Die die = function->die;
		if (i + 1 == count && is_split(function))
			set |= BIT(SPLIT_FUNCTION);
		if (i + 1 == count)
			break;
		struct di_ranges ranges;
		struct xs_range range;
		di_ranges_open(&ranges, function->unit, &die);
		while (di_ranges_next(&ranges, &range))
			set |= range.lo != range.hi && range.lo == pc ? BIT(INLINED_ENTRY) : 0;
		if (i + 2 == count && has_empty_range(function->unit, &die, 0))
			set |= BIT(EMPTY_SCOPE_RANGE);
	}
	return set;
}

static void look_entry(const struct di_scopes *scopes, struct di_features *ret)
{
	size_t count = scopes->activations.len;
	if (count && scopes->activations.data[count - 1].function->entry == scopes->pc)
		ret->set |= BIT(FUNCTION_ENTRY);
	for (size_t i = 0; i + 1 < count; i++)
		if (scopes->activations.data[i].function->entry == scopes->pc)
			ret->set |= BIT(INLINED_ENTRY);
	if (count && is_split(scopes->activations.data[count - 1].function))
		ret->set |= BIT(SPLIT_FUNCTION);
}

/* Whether its entry is not among those of its block, but of what that is an instance of. */
static bool is_inherited(const struct di_variable *variable)
{
	Dwarf_Die die = variable->block->die, child;
	if (!dwarf_hasattr(&die, DW_AT_abstract_origin) || dwarf_child(&die, &child))
		return dwarf_hasattr(&die, DW_AT_abstract_origin);
	do {
		if (child.addr == variable->die.addr)
			return false;
	} while (!dwarf_siblingof(&child, &child));
	return true;
}

static void look_variable(const struct di_variable *variable, const struct di_visible *visible,
	xs_addr pc, const char *path, struct di_features *ret)
{
	Dwarf_Die die = variable->die;
	ret->found = true;
	ret->die = dwarf_dieoffset(&die);
	ret->set |= variable->parameter ? BIT(PARAMETER) : 0;
	ret->set |= variable->artificial ? BIT(ARTIFICIAL) : 0;
	if (!variable->block) {
		Dwarf_Die unit = variable->unit->skeleton;
		bool code, empty, holds;
		look_block(variable->unit->module, &unit, pc, &code, &empty, &holds);
		ret->set |= !code ? BIT(UNIT_WITHOUT_CODE) : 0;
	}
	ret->set |= visible && visible->shadowed ? BIT(SHADOWED) : 0;
	ret->set |= visible && visible->declared != DI_DECLARED_YES ? BIT(NOT_YET_DECLARED) : 0;
	ret->set |= look_path(variable->type, path);
	for (const struct di_block *block = variable->block; block; block = block->outer)
		if (block->kind == DI_BLOCK_INLINED)
			ret->set |= BIT(INLINED);
	if (variable->block && is_inherited(variable))
		ret->set |= BIT(ABSTRACT_ONLY);
	look_origin(die, ret);
	look_place(variable, pc, ret);
}

/* It is not visible: where in the function at the pc is it, then? */
static void look_elsewhere(
	struct search *search, const struct di_scopes *scopes, struct di_features *ret)
{
	if (!search->found && scopes->activations.len) {
		/* Functions and inlined calls at the pc may leave out what their origins list. */
		for (size_t i = 0; i < scopes->activations.len && !search->found; i++) {
			Dwarf_Die die = scopes->activations.data[i].function->die;
			for (unsigned k = 0; k < 4 && !search->found && has_origin(&die, &die); k++)
				search_in(search, &die, 0, 0);
		}
		if (search->found)
			search->set |= BIT(ABSTRACT_ONLY);
	}
	ret->found = search->found;
	ret->die = search->die;
	ret->set |= search->set | search->chain;
	if (search->found && search->set & BIT(ABSTRACT_ONLY))
		ret->set &= ~(BIT(BLOCK_WITHOUT_CODE) | BIT(OUTSIDE_BLOCK));
}

/* Whether a path of functions, `main/f`, is the one meant: the whole of it, or its function. */
static bool is_scope(const char *path, const char *scope)
{
	return !scope || !*scope || !strcmp(path, scope) || !strcmp(di_name_in_scope(path), scope);
}

bool di_feature_restored(struct di_module *module, xs_addr pc)
{
	struct di_answer answer = {0};
	const struct di_cfi_row *row = NULL;
	struct di_cfi *cfi = di_module_cfi(module, &answer);
	return cfi && di_cfi_find(cfi, pc, &row, &answer) && row && row->restored;
}

/* Whether a variable belongs to the function or inlined call of a level. */
static bool is_of_level(
	const struct di_scopes *scopes, const struct di_variable *variable, unsigned level)
{
	const struct di_block *block = variable->block;
	while (block && block->kind == DI_BLOCK_LEXICAL)
		block = block->outer;
	return level >= scopes->activations.len ||
	       block == scopes->activations.data[level].function;
}

void di_features_of(struct di_module *module, xs_addr pc, const char *scope, unsigned level,
	const char *name, uint32_t line, const char *path, struct di_features *ret)
{
	const struct di_scopes *scopes = di_scopes_at(module, pc);
	const struct di_visible *found = NULL;
	*ret = (struct di_features){.set = di_module_has_data16(module) ? BIT(DATA16) : 0};
	look_entry(scopes, ret);
	for (size_t i = 0; name && i < scopes->locals.len; i++) {
		const struct di_visible *one = &scopes->locals.data[i];
		if (strcmp(one->variable->name, name) != 0)
			continue;
		bool wanted = (!line || one->variable->line == line) &&
			      is_scope(one->variable->scope, scope) &&
			      is_of_level(scopes, one->variable, level);
		if (wanted && !found)
			found = one;
		else if (one->declared != DI_DECLARED_YES)
			ret->set |= BIT(NAMESAKE);
	}
	struct search search = {.module = module, .pc = pc, .name = name, .line = line};
	if (name && scopes->activations.len) {
		Dwarf_Die root =
			scopes->activations.data[scopes->activations.len - 1].function->die;
		search_in(&search, &root, 0, 0);
	}
	ret->set |= search.around;
	if (found) {
		ret->visible = true;
		look_variable(found->variable, found, pc, path, ret);
		return;
	}
	const struct di_globals *globals = di_scopes_file(scopes)->globals;
	for (size_t i = 0; name && (!scope || !*scope) && i < globals->list.len; i++) {
		const struct di_variable *variable = globals->list.data[i];
		if (strcmp(variable->name, name) != 0 || (line && variable->line != line))
			continue;
		struct di_visible visible = di_scopes_global(scopes, i);
		ret->visible = true;
		look_variable(variable, &visible, pc, path, ret);
		return;
	}
	if (name)
		look_elsewhere(&search, scopes, ret);
}

/* gdb trusts the call frame information of gcc's epilogues, and of no others. */
static bool is_gcc(Dwarf_Die die)
{
	Dwarf_Die unit;
	Dwarf_Attribute attr;
	const char *producer = dwarf_diecu(&die, &unit, NULL, NULL)
				       ? dwarf_formstring(dwarf_attr(&unit, DW_AT_producer, &attr))
				       : NULL;
	return producer && !strncmp(producer, "GNU ", 4);
}

void di_features_of_call(
	struct di_module *module, xs_addr pc, xs_addr behind, struct di_features *ret)
{
	const struct di_function *running = di_functions_find_debug(module->functions, pc);
	size_t size = 0;
	const uint8_t *bytes = di_module_bytes(module, pc, &size);
	if (!running || !DI_HAS(ret->set, ENTRY_VALUE))
		return;
	if (di_tail_names_abstract(module, behind, running->entry))
		ret->set |= BIT(ABSTRACT_CALLEE);
	if (di_tail_is_called(module, behind, running->entry))
		ret->set |= BIT(TAIL_CALLED);
	if (di_tail_behind_pointer(module, behind, running->entry))
		ret->set |= BIT(POINTER_CALLED);
	if (bytes && size && bytes[0] == RET && !is_gcc(running->die))
		ret->set |= BIT(AT_RETURN);
}
