#include "dwarf/type.h"

#include <dwarf.h>

#include "base/map.h"
#include "dwarf/attribute.h"
#include "dwarf/dw_name.h"
#include "dwarf/name_text.h"
#include "dwarf/type_name.h"
#include "dwarf/type_odd.h"

enum {
	ENCODING_COMPLEX_INTEGER = 0x80, /* gcc's and clang's DW_ATE_lo_user */
	/* Decoding goes deeper than a sound type may be nested: what hits this limit is MALFORMED
	 * with all that led to it, depending on where one began; what hits DI_TYPE_NESTING is not.
	 */
	DECODE_DEPTH = 1024,
};

struct di_types {
	struct di_module *module;       /* whose */
	XS_VEC(struct di_type *) nodes; /* all of them */
	XS_VEC(char *) texts;           /* names that were put together */
	struct xs_map by_die;           /* (address of the DIE, dimension) to the node */
	unsigned depth;                 /* of the decoding now going on */
	struct di_type *nothing;        /* void */
	struct di_type *nowhere;        /* what a DW_AT_type that leads nowhere refers to */
};

static struct di_type *add_node(struct di_types *types)
{
	struct di_type *node = xs_calloc(1, sizeof *node);
	node->types = types;
	node->nesting = 1;
	xs_vec_push(&types->nodes, node);
	return node;
}

static const char *keep(struct di_types *types, char *text)
{
	xs_vec_push(&types->texts, text);
	return text;
}

static void set_problem(struct di_type *node, enum di_type_kind kind, enum di_why_code problem)
{
	node->kind = kind;
	node->problem = problem;
}

static void set_why(struct di_type *node, enum di_type_kind kind, const struct di_why *why)
{
	set_problem(node, kind, why->code);
	node->problem_about = why->number[0];
}

static struct di_type *malformed(struct di_types *types, const char *name, enum di_why_code problem)
{
	struct di_type *node = add_node(types);
	set_problem(node, DI_TYPE_MALFORMED, problem);
	node->name = name;
	node->leaves = 1;
	node->decoded = true;
	return node;
}

struct di_types *di_types_create(struct di_module *module)
{
	struct di_types *types = xs_calloc(1, sizeof *types);
	types->module = module;
	types->nothing = add_node(types);
	types->nothing->kind = DI_TYPE_VOID;
	types->nothing->name = "void";
	types->nothing->problem = DI_WHY_TYPE_VOID;
	types->nothing->leaves = 1;
	types->nothing->decoded = true;
	types->nowhere = malformed(types, "<unknown>", DI_WHY_TYPE_NOWHERE);
	return types;
}

void di_types_destroy(struct di_types *types)
{
	if (!types)
		return;
	for (size_t i = 0; i < types->nodes.len; i++) {
		struct di_type *node = types->nodes.data[i];
		if (!node->borrows) {
			xs_vec_deinit(&node->members);
			xs_vec_deinit(&node->enumerators);
			xs_vec_deinit(&node->labels);
		}
		free(node);
	}
	for (size_t i = 0; i < types->texts.len; i++)
		free(types->texts.data[i]);
	xs_vec_deinit(&types->nodes);
	xs_vec_deinit(&types->texts);
	xs_map_deinit(&types->by_die);
	free(types);
}

/* --- scalars ---------------------------------------------------------------------------------- */

static uint64_t saturating_mul(uint64_t a, uint64_t b)
{
	uint64_t product;
	return __builtin_mul_overflow(a, b, &product) ? UINT64_MAX : product;
}

static uint64_t saturating_add(uint64_t a, uint64_t b)
{
	return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

static void set_size(struct di_type *node, Dwarf_Die *die)
{
	node->size_known = di_die_constant(die, DW_AT_byte_size, &node->size);
	/* Bit offsets must fit in 64 bits; nothing real comes near. */
	if (node->size > UINT64_MAX / 64)
		node->size_known = false;
}

static void set_integer(struct di_type *node, Dwarf_Die *die, enum di_base_kind kind)
{
	uint64_t bits = 8 * node->size;
	if (!node->size_known || node->size == 0) {
		set_problem(node, DI_TYPE_MALFORMED, DI_WHY_TYPE_UNSIZED);
		return;
	}
	di_die_constant(die, DW_AT_bit_size, &bits); /* _BitInt(17) */
	if (bits == 0 || bits > 8 * node->size)
		set_problem(node, DI_TYPE_MALFORMED, DI_WHY_TYPE_BITS);
	else if (node->size > DI_WIDE_BYTES)
		set_problem(node, DI_TYPE_UNSUPPORTED, DI_WHY_TYPE_WIDE_INTEGER);
	else
		node->base = (struct di_base){.kind = kind,
			.bits = (unsigned)bits,
			.bytes = (unsigned)node->size,
			.die = dwarf_dieoffset(die)};
}

static void set_float(struct di_type *node, Dwarf_Die *die)
{
	enum di_fp_format format = di_fp_format_of(node->size, dwarf_diename(die));
	if (!node->size_known || format == DI_FP_NONE) {
		set_problem(node, DI_TYPE_UNSUPPORTED, DI_WHY_TYPE_FLOAT_FORMAT);
		return;
	}
	node->base = (struct di_base){.kind = DI_BASE_FLOAT,
		.format = format,
		.bits = di_fp_bits(format),
		.bytes = (unsigned)node->size,
		.die = dwarf_dieoffset(die)};
}

static void set_complex(struct di_type *node, Dwarf_Die *die, bool of_floats)
{
	struct di_type *half = add_node(node->types);
	const char *name = dwarf_diename(die);
	half->kind = DI_TYPE_BASE;
	half->size = node->size / 2;
	half->size_known = node->size_known && node->size % 2 == 0;
	half->decoded = true;
	if (of_floats)
		set_float(half, die);
	else if (name && strstr(name, "unsigned"))
		set_integer(half, die, DI_BASE_UNSIGNED);
	else
		set_integer(half, die, DI_BASE_SIGNED);
	half->name =
		di_half_name(name, half->base.kind == DI_BASE_FLOAT, half->base.format, half->size);
	half->leaves = 1;
	node->kind = DI_TYPE_COMPLEX;
	node->target = half;
	node->base = half->base;
	if (half->problem)
		set_problem(node, half->kind, half->problem);
}

static void decode_base(struct di_type *node, Dwarf_Die *die)
{
	uint64_t encoding = 0;
	node->kind = DI_TYPE_BASE;
	set_size(node, die);
	di_die_constant(die, DW_AT_encoding, &encoding);
	const char *name = dwarf_diename(die);
	if (node->size_known && !node->size && name &&
		(!strcmp(name, "()") || !strcmp(name, "!"))) {
		node->kind = DI_TYPE_STRUCT; /* Rust's unit and never: nothing is in them */
		return;
	}
	switch (encoding) {
	case DW_ATE_boolean:
		set_integer(node, die, DI_BASE_BOOL);
		break;
	case DW_ATE_address:
		set_integer(node, die, DI_BASE_ADDRESS);
		break;
	case DW_ATE_signed_char:
		node->is_char = true;
		/* fall through */
	case DW_ATE_signed:
		set_integer(node, die, DI_BASE_SIGNED);
		break;
	case DW_ATE_unsigned_char:
	case DW_ATE_UTF:
	case DW_ATE_UCS:
	case DW_ATE_ASCII:
		node->is_char = true;
		/* fall through */
	case DW_ATE_unsigned:
		set_integer(node, die, DI_BASE_UNSIGNED);
		break;
	case DW_ATE_float:
	case DW_ATE_imaginary_float:
		set_float(node, die);
		break;
	case DW_ATE_complex_float:
		set_complex(node, die, true);
		break;
	case ENCODING_COMPLEX_INTEGER:
		set_complex(node, die, false);
		break;
	case DW_ATE_decimal_float:
		set_problem(node, DI_TYPE_UNSUPPORTED, DI_WHY_TYPE_DECIMAL_FLOAT);
		break;
	default:
		set_problem(node, DI_TYPE_UNSUPPORTED, DI_WHY_TYPE_ENCODING);
		node->problem_about = encoding;
	}
}

static void decode_pointer(struct di_type *node, Dwarf_Die *die, int tag)
{
	Dwarf_Die unit;
	uint8_t address_size = 8;
	node->kind = DI_TYPE_POINTER;
	node->reference = tag == DW_TAG_reference_type || tag == DW_TAG_rvalue_reference_type;
	set_size(node, die);
	dwarf_diecu(die, &unit, &address_size, NULL);
	if (!node->size_known)
		node->size = address_size;
	node->size_known = true;
	set_integer(node, die, DI_BASE_ADDRESS);
	if (!node->problem && node->base.bits > 64)
		set_problem(node, DI_TYPE_MALFORMED, DI_WHY_TYPE_WIDE_POINTER);
}

/* Read as an integer: the offset of the data member (-1 is null), or, for a function, what the
 * Itanium ABI makes of it, two words. */
static void decode_member_pointer(struct di_type *node, Dwarf_Die *die)
{
	Dwarf_Die target;
	node->kind = DI_TYPE_BASE;
	set_size(node, die);
	if (!node->size_known)
		node->size = di_die_type(node->types->module, die, &target) &&
					     dwarf_tag(&target) == DW_TAG_subroutine_type
				     ? 16
				     : 8;
	node->size_known = true;
	set_integer(node, die, DI_BASE_SIGNED);
}

static struct di_wide enumerator_value(Dwarf_Die *die, const struct di_base *base)
{
	Dwarf_Attribute attr;
	Dwarf_Block block;
	struct di_wide value = {0};
	uint64_t number;
	if (di_die_constant(die, DW_AT_const_value, &number))
		value = di_wide_from_s((int64_t)number);
	else if (!dwarf_formblock(dwarf_attr(die, DW_AT_const_value, &attr), &block))
		value = di_wide_from_bytes(block.data, block.length);
	return base->kind == DI_BASE_SIGNED ? di_wide_sext(value, base->bits)
					    : di_wide_zext(value, base->bits);
}

/* Without an underlying type, an enum is signed if one of its values is written as negative. */
static bool has_negative(Dwarf_Die *die)
{
	Dwarf_Die child = {0};
	Dwarf_Attribute attr;
	uint64_t number;
	while (di_die_next_child(die, &child))
		if (dwarf_attr(&child, DW_AT_const_value, &attr) &&
			(dwarf_whatform(&attr) == DW_FORM_sdata ||
				dwarf_whatform(&attr) == DW_FORM_implicit_const) &&
			di_die_constant(&child, DW_AT_const_value, &number) && (int64_t)number < 0)
			return true;
	return false;
}

static void decode_enum(struct di_type *node, Dwarf_Die *die)
{
	Dwarf_Die underlying, child = {0};
	node->kind = DI_TYPE_ENUM;
	set_size(node, die);
	bool is_signed;
	if (di_die_type(node->types->module, die, &underlying)) {
		const struct di_type *type = di_type_of(node->types, die);
		is_signed = type->base.kind == DI_BASE_SIGNED;
		if (!node->size_known) {
			node->size = type->size;
			node->size_known = type->size_known;
		}
	} else {
		is_signed = has_negative(die);
	}
	if (!node->size_known && dwarf_hasattr(die, DW_AT_declaration)) {
		node->problem = DI_WHY_TYPE_INCOMPLETE;
		return;
	}
	set_integer(node, die, is_signed ? DI_BASE_SIGNED : DI_BASE_UNSIGNED);
	while (!node->problem && di_die_next_child(die, &child)) {
		if (dwarf_tag(&child) != DW_TAG_enumerator || !dwarf_diename(&child))
			continue;
		struct di_enumerator enumerator = {.name = dwarf_diename(&child),
			.value = enumerator_value(&child, &node->base)};
		xs_vec_push(&node->enumerators, enumerator);
	}
}

static struct di_type *at_dimension(struct di_types *types, Dwarf_Die *die, unsigned dimension);

/* --- aggregates ------------------------------------------------------------------------------- */

static void contain(struct di_type *node, const struct di_type *part)
{
	if (part->nesting >= node->nesting)
		node->nesting = part->nesting + 1;
}

/* The one expression that is a constant in disguise: DWARF 2 writes every offset so. */
static bool fold_offset(Dwarf_Attribute *attr, uint64_t *ret)
{
	Dwarf_Block block;
	if (dwarf_formblock(attr, &block) || block.length < 2 || block.data[0] != DW_OP_plus_uconst)
		return false;
	struct di_cursor cursor = di_cursor_over("", block.data + 1, block.length - 1);
	*ret = di_cursor_uleb(&cursor);
	return !cursor.failed && di_cursor_left(&cursor) == 0;
}

/* Sets where the member begins. DWARF 2 and 3 count a bit-field's place from the most significant
 * bit of a storage unit of byte_size; DWARF 4 from the struct's first bit. */
static void place_member(struct di_member *member)
{
	Dwarf_Attribute attr;
	uint64_t bytes = 0, storage = member->type->size, from_top;
	if (dwarf_attr(&member->die, DW_AT_data_member_location, &attr) &&
		!di_die_constant(&member->die, DW_AT_data_member_location, &bytes) &&
		!fold_offset(&attr, &bytes))
		member->dynamic_offset = true;
	member->bit_offset = 8 * bytes;
	member->bit_field = di_die_constant(&member->die, DW_AT_bit_size, &member->bit_size);
	if (di_die_constant(&member->die, DW_AT_data_bit_offset, &member->bit_offset))
		return;
	if (!member->bit_field || !di_die_constant(&member->die, DW_AT_bit_offset, &from_top))
		return;
	di_die_constant(&member->die, DW_AT_byte_size, &storage);
	/* from_top may be negative, where the field reaches past its unit: it wraps, rightly. */
	member->bit_offset += 8 * storage - from_top - member->bit_size;
}

static bool is_static(Dwarf_Die *die)
{
	return dwarf_hasattr(die, DW_AT_external) || dwarf_hasattr(die, DW_AT_declaration) ||
	       dwarf_hasattr(die, DW_AT_const_value);
}

struct di_type *di_type_unread(struct di_types *types, const char *name, const struct di_why *why)
{
	struct di_type *node = malformed(types, name, why->code);
	set_why(node, DI_TYPE_UNSUPPORTED, why);
	return node;
}

/* A part of a struct that is not read (a variant part, or what nobody knows yet) is one leaf, named
 * for its tag: what the struct has besides is not all. */
static void add_unread(struct di_type *node, Dwarf_Die *die)
{
	char buf[DI_DW_NAME];
	unsigned tag = (unsigned)dwarf_tag(die);
	struct di_why why = {.code = DI_WHY_TYPE_TAG, .number = {tag}};
	const char *name = keep(node->types, xs_strdup(di_tag_name(tag, buf)));
	struct di_member member = {
		.die = *die, .name = name, .type = di_type_unread(node->types, name, &why)};
	contain(node, member.type);
	node->leaves = saturating_add(node->leaves, 1);
	xs_vec_push(&node->members, member);
}

/* What a base class is called in a path: its own name, without what it is in and the arguments of
 * templates, which debuggers spell in many ways. Of several alike the second is `Base#2`. */
static const char *base_name(const struct di_type *node, const char *name)
{
	XS_AUTO_FREE char *plain = di_name_plain(name);
	const char *last = keep(node->types, di_name_last(plain));
	unsigned alike = 1;
	for (size_t i = 0; i < node->members.len; i++) {
		const struct di_member *other = &node->members.data[i];
		const char *behind = other->base_class && other->name &&
						     !strncmp(other->name, last, strlen(last))
					     ? other->name + strlen(last)
					     : NULL;
		alike += behind && (!*behind || *behind == '#');
	}
	return alike == 1 ? last : keep(node->types, xs_asprintf("%s#%u", last, alike));
}

static void add_member(struct di_type *node, Dwarf_Die *die)
{
	struct di_member member = {.die = *die};
	member.base_class = dwarf_tag(die) == DW_TAG_inheritance;
	if (!member.base_class && is_static(die))
		return;
	member.type = di_type_of(node->types, die);
	/* clang's bases may be typedefs, and debuggers call them so. */
	Dwarf_Attribute attr;
	Dwarf_Die base = member.type->die, meant;
	if (member.base_class && di_formref_die(dwarf_attr(die, DW_AT_type, &attr), &meant) &&
		dwarf_tag(&meant) == DW_TAG_typedef)
		base = meant;
	Dwarf_Die *named = member.base_class ? &base : die;
	member.name = named->addr ? dwarf_diename(named) : NULL;
	if (member.base_class && member.name)
		member.name = base_name(node, member.name);
	if (member.name && !*member.name)
		member.name = NULL;
	place_member(&member);
	if (member.bit_field && member.bit_size == 0)
		return;
	struct di_why odd = di_member_oddity(die);
	bool aggregate = member.type->kind == DI_TYPE_STRUCT || member.type->kind == DI_TYPE_UNION;
	if (odd.code)
		member.type = di_type_unread(node->types, member.type->name, &odd);
	else if (!member.name && !aggregate && !member.type->problem)
		return; /* padding: nobody can name it */
	if (!member.name && !aggregate)
		member.name = "DW_TAG_member";
	if ((int64_t)member.bit_offset < 0 ||
		(member.bit_field && member.bit_size > member.type->base.bits)) {
		member.type = malformed(node->types, member.type->name, DI_WHY_TYPE_MEMBER);
		member.bit_offset = 0;
	}
	contain(node, member.type);
	node->leaves = saturating_add(node->leaves, member.type->leaves);
	xs_vec_push(&node->members, member);
}

/* --- variants --------------------------------------------------------------------------------- */

static struct di_wide label_value(const struct di_type *part, uint64_t number)
{
	bool is_signed = !part->discr || part->discr->base.kind == DI_BASE_SIGNED;
	struct di_wide value = is_signed ? di_wide_from_s((int64_t)number) : di_wide_from_u(number);
	if (!part->discr)
		return value;
	return is_signed ? di_wide_sext(value, part->discr->base.bits)
			 : di_wide_zext(value, part->discr->base.bits);
}

/* Notes which values choose a variant; false if that cannot be read. */
static bool add_labels(struct di_type *part, Dwarf_Die *die, size_t member)
{
	Dwarf_Attribute attr;
	Dwarf_Block block;
	uint64_t number;
	if (di_die_constant(die, DW_AT_discr_value, &number)) {
		struct di_wide value = label_value(part, number);
		xs_vec_push(&part->labels, ((struct di_label){value, value, member}));
		return true;
	}
	if (dwarf_hasattr(die, DW_AT_discr_value))
		return false;
	if (!dwarf_attr(die, DW_AT_discr_list, &attr)) {
		part->otherwise = member + 1;
		return true;
	}
	if (dwarf_formblock(&attr, &block))
		return false;
	bool is_signed = part->discr && part->discr->base.kind == DI_BASE_SIGNED;
	struct di_cursor cursor = di_cursor_over("", block.data, block.length);
	while (!cursor.failed && di_cursor_left(&cursor)) {
		bool range = di_cursor_u(&cursor, 1) == DW_DSC_range;
		uint64_t ends[2] = {0};
		for (unsigned i = 0; i <= (unsigned)range; i++)
			ends[i] = is_signed ? (uint64_t)di_cursor_sleb(&cursor)
					    : di_cursor_uleb(&cursor);
		xs_vec_push(&part->labels, ((struct di_label){label_value(part, ends[0]),
						   label_value(part, ends[range]), member}));
	}
	return !cursor.failed;
}

/* The discriminant, which may be among the members of the part or elsewhere in the struct. */
static bool set_discriminant(struct di_type *part, Dwarf_Die *die)
{
	Dwarf_Attribute attr;
	struct di_member discr = {0};
	if (!dwarf_attr(die, DW_AT_discr, &attr))
		return !dwarf_hasattr(die, DW_AT_type); /* a tag that is not stored */
	if (!di_formref_die(&attr, &discr.die))
		return false;
	discr.type = di_type_of(part->types, &discr.die);
	place_member(&discr);
	part->discr = discr.type;
	part->discr_offset = discr.bit_offset;
	return !discr.dynamic_offset && !discr.bit_field && !discr.type->problem &&
	       (discr.type->kind == DI_TYPE_BASE || discr.type->kind == DI_TYPE_ENUM ||
		       discr.type->kind == DI_TYPE_POINTER);
}

/* Adds a variant part: one anonymous member, whose members are the variants. */
static void add_variants(struct di_type *node, Dwarf_Die *die)
{
	Dwarf_Die child = {0}, inner;
	struct di_type *part = add_node(node->types);
	part->kind = DI_TYPE_VARIANTS;
	part->die = *die;
	part->name = "variant part";
	part->size = node->size;
	part->size_known = node->size_known;
	part->leaves = 1;
	part->decoded = true;
	bool read = set_discriminant(part, die);
	while (read && di_die_next_child(die, &child)) {
		if (dwarf_tag(&child) != DW_TAG_variant)
			continue;
		struct di_type *variant = add_node(node->types);
		variant->kind = DI_TYPE_STRUCT;
		variant->die = child;
		variant->name = "variant";
		variant->size = node->size;
		variant->size_known = node->size_known;
		variant->decoded = true;
		inner = (Dwarf_Die){0};
		while (di_die_next_child(&child, &inner))
			if (dwarf_tag(&inner) == DW_TAG_member)
				add_member(variant, &inner);
			else if (!di_tag_adds_nothing(dwarf_tag(&inner)))
				add_unread(variant, &inner);
		read = add_labels(part, &child, part->members.len);
		contain(part, variant);
		xs_vec_push(&part->members, ((struct di_member){.die = child, .type = variant}));
	}
	if (!read) {
		add_unread(node, die);
		return;
	}
	contain(node, part);
	node->leaves = saturating_add(node->leaves, 1);
	xs_vec_push(&node->members, ((struct di_member){.die = *die, .type = part}));
}

/* node stands for what target stands for, under its own name. */
static void stand_for(struct di_type *node, const struct di_type *target)
{
	const char *name = node->name;
	*node = *target;
	node->name = name;
	node->borrows = true;
	contain(node, target);
}

static void decode_struct(struct di_type *node, Dwarf_Die *die, enum di_type_kind kind)
{
	Dwarf_Die child = {0};
	node->kind = kind;
	set_size(node, die);
	if (dwarf_hasattr(die, DW_AT_declaration)) {
		node->problem = DI_WHY_TYPE_INCOMPLETE;
		return;
	}
	while (di_die_next_child(die, &child)) {
		int tag = dwarf_tag(&child);
		if (tag == DW_TAG_member || tag == DW_TAG_inheritance)
			add_member(node, &child);
		else if (tag == DW_TAG_variant_part)
			add_variants(node, &child);
		else if (!di_tag_adds_nothing(tag))
			add_unread(node, &child);
	}
}

static bool find_dimension(Dwarf_Die *die, unsigned dimension, Dwarf_Die *ret)
{
	unsigned seen = 0;
	*ret = (Dwarf_Die){0};
	while (di_die_next_child(die, ret))
		if (di_die_is_dimension(ret) && seen++ == dimension)
			return true;
	*ret = (Dwarf_Die){0};
	return false;
}

static uint64_t stride_of(Dwarf_Die *die)
{
	uint64_t stride;
	if (di_die_constant(die, DW_AT_bit_stride, &stride))
		return stride;
	if (di_die_constant(die, DW_AT_byte_stride, &stride) && stride < UINT64_MAX / 8)
		return 8 * stride;
	return 0;
}

static void decode_array(struct di_type *node, Dwarf_Die *die, unsigned dimension)
{
	Dwarf_Die inner;
	node->kind = dwarf_hasattr(die, DW_AT_GNU_vector) ? DI_TYPE_VECTOR : DI_TYPE_ARRAY;
	bool has_inner = find_dimension(die, dimension + 1, &inner);
	node->target = has_inner ? at_dimension(node->types, die, dimension + 1)
				 : di_type_of(node->types, die);
	contain(node, node->target);
	if (find_dimension(die, dimension, &node->subrange)) {
		node->count_known = di_die_count(
			node->types->module, &node->subrange, &node->lower, &node->count);
		node->count_dynamic = !node->count_known &&
				      (dwarf_hasattr(&node->subrange, DW_AT_count) ||
					      dwarf_hasattr(&node->subrange, DW_AT_upper_bound));
		node->bit_stride = stride_of(&node->subrange);
		node->stride_dynamic =
			!node->bit_stride && dwarf_hasattr(&node->subrange, DW_AT_byte_stride);
	}
	if (!node->bit_stride && !node->stride_dynamic && !has_inner)
		node->bit_stride = stride_of(die);
	if (dimension == 0) {
		set_size(node, die);
		node->data_elsewhere = dwarf_hasattr(die, DW_AT_data_location);
		node->conditional =
			dwarf_hasattr(die, DW_AT_allocated) || dwarf_hasattr(die, DW_AT_associated);
	}
	const struct di_type *element = node->target;
	if (!node->size_known && node->count_known && !node->stride_dynamic &&
		(element->size_known || node->bit_stride)) {
		uint64_t stride = node->bit_stride ? node->bit_stride : 8 * element->size;
		uint64_t bits = saturating_mul(stride, node->count);
		node->size = bits / 8 + (bits % 8 != 0);
		node->size_known = bits < UINT64_MAX / 8;
		if (!node->size_known)
			set_problem(node, DI_TYPE_MALFORMED, DI_WHY_TYPE_LARGE_ARRAY);
	}
	if (node->count_known)
		node->leaves = saturating_mul(node->count, element->leaves);
	else
		node->leaves = node->count_dynamic && element->leaves;
}

/* A subrange as a type of its own: its base type, perhaps of another size. */
static void decode_subrange(struct di_type *node, Dwarf_Die *die)
{
	stand_for(node, di_type_of(node->types, die));
	uint64_t size;
	if (node->kind != DI_TYPE_BASE || !di_die_constant(die, DW_AT_byte_size, &size) ||
		size == node->size)
		return;
	node->size = size;
	set_integer(node, die, node->base.kind);
}

/* --- any type --------------------------------------------------------------------------------- */

/* node is what the type unit says that its entry refers to. False if no unit has that type. */
static bool decode_signed(struct di_type *node, Dwarf_Die *die)
{
	Dwarf_Attribute attr;
	Dwarf_Die type = *die;
	if (di_die_complete(node->types->module, &type)) {
		stand_for(node, at_dimension(node->types, &type, 0));
		return true;
	}
	if (!dwarf_attr(die, DW_AT_signature, &attr) || dwarf_whatform(&attr) != DW_FORM_ref_sig8 ||
		dwarf_hasattr(die, DW_AT_byte_size))
		return false;
	set_problem(node, DI_TYPE_UNSUPPORTED, DI_WHY_TYPE_SIGNATURE);
	memcpy(&node->problem_about, attr.valp, sizeof node->problem_about);
	return true;
}

static void decode(struct di_type *node, Dwarf_Die *die, unsigned dimension)
{
	const char *name;
	int tag = dwarf_tag(die);
	struct di_why odd = di_type_oddity(die);
	if (odd.code) {
		set_size(node, die);
		set_why(node, DI_TYPE_UNSUPPORTED, &odd);
		return;
	}
	if (decode_signed(node, die))
		return;
	switch (tag) {
	case DW_TAG_base_type:
		decode_base(node, die);
		break;
	case DW_TAG_enumeration_type:
		decode_enum(node, die);
		break;
	case DW_TAG_pointer_type:
	case DW_TAG_reference_type:
	case DW_TAG_rvalue_reference_type:
		decode_pointer(node, die, tag);
		break;
	case DW_TAG_ptr_to_member_type:
		decode_member_pointer(node, die);
		break;
	case DW_TAG_structure_type:
	case DW_TAG_class_type:
	case DW_TAG_interface_type:
		decode_struct(node, die, DI_TYPE_STRUCT);
		break;
	case DW_TAG_union_type:
		decode_struct(node, die, DI_TYPE_UNION);
		break;
	case DW_TAG_array_type:
		decode_array(node, die, dimension);
		break;
	case DW_TAG_subrange_type:
		decode_subrange(node, die);
		break;
	case DW_TAG_typedef:
	case DW_TAG_template_alias:
	case DW_TAG_const_type:
	case DW_TAG_volatile_type:
	case DW_TAG_restrict_type:
	case DW_TAG_atomic_type:
	case DW_TAG_immutable_type:
	case DW_TAG_packed_type:
	case DW_TAG_shared_type:
		stand_for(node, di_type_of(node->types, die));
		break;
	case DW_TAG_subroutine_type:
	case DW_TAG_subprogram:
		set_problem(node, DI_TYPE_FUNCTION, DI_WHY_TYPE_FUNCTION);
		break;
	case DW_TAG_unspecified_type:
		name = dwarf_diename(die);
		if (name && strstr(name, "nullptr"))
			decode_pointer(node, die, tag);
		else
			set_problem(node, DI_TYPE_VOID, DI_WHY_TYPE_UNSPECIFIED);
		break;
	default:
		set_problem(node, DI_TYPE_UNSUPPORTED, DI_WHY_TYPE_KIND);
		node->problem_about = (unsigned)tag;
	}
}

static struct di_type *at_dimension(struct di_types *types, Dwarf_Die *die, unsigned dimension)
{
	uint64_t *slot = xs_map_at(&types->by_die, (uintptr_t)die->addr, dimension);
	struct di_type *node = (struct di_type *)(uintptr_t)*slot;
	if (node && node->decoded)
		return node;
	if (node)
		return malformed(types, node->name, DI_WHY_TYPE_RECURSIVE);
	if (types->depth >= DECODE_DEPTH)
		return malformed(types, "...", DI_WHY_TYPE_NESTING);
	node = add_node(types);
	*slot = (uintptr_t)node;
	node->die = *die;
	node->name = keep(types, di_type_name(types->module, die, dimension));
	types->depth++;
	decode(node, die, dimension);
	types->depth--;
	if (node->nesting > DI_TYPE_NESTING)
		set_problem(node, DI_TYPE_MALFORMED, DI_WHY_TYPE_NESTING);
	bool aggregate = node->kind == DI_TYPE_STRUCT || node->kind == DI_TYPE_UNION ||
			 node->kind == DI_TYPE_ARRAY || node->kind == DI_TYPE_VECTOR;
	if (node->problem || !aggregate)
		node->leaves = node->kind == DI_TYPE_COMPLEX ? 2 : 1;
	node->decoded = true;
	return node;
}

struct di_type *di_type_at(struct di_types *types, Dwarf_Die *die)
{
	return at_dimension(types, die, 0);
}

struct di_type *di_type_of(struct di_types *types, Dwarf_Die *die)
{
	Dwarf_Attribute attr;
	Dwarf_Die type;
	if (!di_attr_integrate(die, DW_AT_type, &attr))
		return types->nothing;
	if (!di_attribute_die(types->module, &attr, &type))
		return types->nowhere;
	return at_dimension(types, &type, 0);
}

const struct di_type *di_type_target(const struct di_type *type)
{
	if (type->kind != DI_TYPE_POINTER)
		return type->target;
	if (!type->die.addr || dwarf_tag((Dwarf_Die *)&type->die) == DW_TAG_unspecified_type)
		return type->types->nothing;
	return di_type_of(type->types, (Dwarf_Die *)&type->die);
}
