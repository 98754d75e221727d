#include "dwarf/type_name.h"

#include <dwarf.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/alloc.h"
#include "dwarf/attribute.h"
#include "dwarf/text.h"
#include "dwarf/unit.h"

enum {
	NAME_SIZE = 512, /* longer names are cut */
	NAME_DIES = 256, /* looked at for one name: types can refer to each other without end */
	CHAIN_MAX = 16,  /* origins of origins, as in libdw */
};

/* A name being written. */
struct namer {
	struct di_module *module;
	struct di_text text;
	unsigned dies; /* how many more DIEs may be looked at */
};

bool di_die_next_child(Dwarf_Die *die, Dwarf_Die *ret)
{
	if (!ret->addr)
		return dwarf_child(die, ret) == 0;
	void *before = ret->addr;
	/* A DW_AT_sibling that points backwards would never end. */
	return dwarf_siblingof(ret, ret) == 0 && (uintptr_t)ret->addr > (uintptr_t)before;
}

bool di_die_is_dimension(Dwarf_Die *die)
{
	int tag = dwarf_tag(die);
	return tag == DW_TAG_subrange_type || tag == DW_TAG_enumeration_type;
}

bool di_die_origin(Dwarf_Die *die, unsigned *chain)
{
	Dwarf_Attribute attr;
	Dwarf_Die origin;
	if (*chain >= CHAIN_MAX ||
		(!dwarf_attr(die, DW_AT_abstract_origin, &attr) &&
			!dwarf_attr(die, DW_AT_specification, &attr)) ||
		!di_formref_die(&attr, &origin))
		return false;
	++*chain;
	*die = origin;
	return true;
}

bool di_attribute_die(struct di_module *module, Dwarf_Attribute *attr, Dwarf_Die *ret)
{
	uint64_t signature;
	if (!attr || dwarf_whatform(attr) != DW_FORM_ref_sig8)
		return di_formref_die(attr, ret) != NULL;
	memcpy(&signature, attr->valp, sizeof signature);
	return di_unit_type_by_signature(module, attr->cu, signature, ret);
}

bool di_die_complete(struct di_module *module, Dwarf_Die *die)
{
	Dwarf_Attribute attr;
	Dwarf_Die type;
	if (!dwarf_attr(die, DW_AT_signature, &attr) || !di_attribute_die(module, &attr, &type) ||
		type.addr == die->addr)
		return false;
	*die = type;
	return true;
}

bool di_die_type(struct di_module *module, Dwarf_Die *die, Dwarf_Die *ret)
{
	Dwarf_Attribute attr;
	return di_attr_integrate(die, DW_AT_type, &attr) && di_attribute_die(module, &attr, ret);
}

bool di_die_constant(Dwarf_Die *die, unsigned at, uint64_t *ret)
{
	Dwarf_Attribute attr;
	Dwarf_Sword number;
	if (!di_attr_integrate(die, at, &attr))
		return false;
	switch (dwarf_whatform(&attr)) {
	case DW_FORM_data1:
	case DW_FORM_data2:
	case DW_FORM_data4:
	case DW_FORM_data8:
	case DW_FORM_udata:
		return dwarf_formudata(&attr, ret) == 0;
	case DW_FORM_sdata:
	case DW_FORM_implicit_const:
		if (dwarf_formsdata(&attr, &number))
			return false;
		*ret = (uint64_t)number;
		return true;
	default:
		return false;
	}
}

/* The first index where DW_AT_lower_bound does not say: the language's. */
static int64_t default_lower(Dwarf_Die *subrange)
{
	Dwarf_Die unit;
	Dwarf_Sword lower = 0;
	if (!dwarf_diecu(subrange, &unit, NULL, NULL) ||
		dwarf_default_lower_bound(dwarf_srclang(&unit), &lower))
		return 0;
	return lower;
}

/* An enumeration used as an index: as many elements as it has names. */
static uint64_t count_enumerators(struct di_module *module, Dwarf_Die *die)
{
	Dwarf_Die type = *die, child = {0};
	uint64_t count = 0;
	di_die_complete(module, &type);
	while (di_die_next_child(&type, &child))
		count += dwarf_tag(&child) == DW_TAG_enumerator;
	return count;
}

bool di_die_count(struct di_module *module, Dwarf_Die *subrange, int64_t *lower, uint64_t *ret)
{
	uint64_t first, last;
	*lower = 0;
	if (dwarf_tag(subrange) == DW_TAG_enumeration_type) {
		*ret = count_enumerators(module, subrange);
		return true;
	}
	*lower = di_die_constant(subrange, DW_AT_lower_bound, &first) ? (int64_t)first
								      : default_lower(subrange);
	if (di_die_constant(subrange, DW_AT_count, ret))
		return true;
	if (!di_die_constant(subrange, DW_AT_upper_bound, &last))
		return false;
	*ret = last - (uint64_t)*lower + 1;
	if ((int64_t)*ret < 0)
		*ret = 0;
	return true;
}

const char *di_half_name(const char *name, bool is_float, enum di_fp_format format, uint64_t size)
{
	static const char *const floats[] = {[DI_FP_HALF] = "_Float16",
		[DI_FP_BRAIN] = "__bf16",
		[DI_FP_SINGLE] = "float",
		[DI_FP_DOUBLE] = "double",
		[DI_FP_X87] = "long double",
		[DI_FP_QUAD] = "_Float128"};
	name = name ? name : "";
	if (!strncmp(name, "complex ", 8))
		return name + 8;
	if (!strncmp(name, "_Complex ", 9))
		return name + 9;
	if (is_float)
		return floats[format];
	switch (size) {
	case 1:
		return "char";
	case 2:
		return "short";
	case 4:
		return "int";
	case 8:
		return "long";
	default:
		return "integer";
	}
}

static bool is_qualifier(int tag)
{
	return tag == DW_TAG_const_type || tag == DW_TAG_volatile_type ||
	       tag == DW_TAG_restrict_type || tag == DW_TAG_atomic_type ||
	       tag == DW_TAG_immutable_type;
}

static bool is_pointer(int tag)
{
	return tag == DW_TAG_pointer_type || tag == DW_TAG_reference_type ||
	       tag == DW_TAG_rvalue_reference_type || tag == DW_TAG_ptr_to_member_type;
}

/* The tag below the qualifiers of what die refers to; 0 for void. */
static int target_tag(struct di_module *module, Dwarf_Die *die)
{
	Dwarf_Die at = *die;
	for (unsigned i = 0; i < NAME_DIES; i++)
		if (!di_die_type(module, &at, &at))
			return 0;
		else if (!is_qualifier(dwarf_tag(&at)))
			return dwarf_tag(&at);
	return 0;
}

/* Whether what comes after a pointer to this binds more tightly than the star. */
static bool needs_parentheses(int tag)
{
	return tag == DW_TAG_array_type || tag == DW_TAG_subroutine_type;
}

/* A space, unless the last character is one of these. */
static void put_space(struct namer *namer, const char *unless)
{
	if (namer->text.len && !strchr(unless, namer->text.buf[namer->text.len - 1]))
		di_text_put(&namer->text, " ");
}

static const char *qualifier_word(int tag)
{
	switch (tag) {
	case DW_TAG_const_type:
		return "const";
	case DW_TAG_volatile_type:
		return "volatile";
	case DW_TAG_restrict_type:
		return "restrict";
	case DW_TAG_atomic_type:
		return "_Atomic";
	default:
		return "immutable";
	}
}

static bool is_c_plus_plus(Dwarf_Die *die)
{
	Dwarf_Die unit;
	switch (dwarf_diecu(die, &unit, NULL, NULL) ? dwarf_srclang(&unit) : 0) {
	case DW_LANG_C_plus_plus:
	case DW_LANG_C_plus_plus_03:
	case DW_LANG_C_plus_plus_11:
	case DW_LANG_C_plus_plus_14:
		return true;
	default:
		return false;
	}
}

/* Structs, unions and enums have a tag word in C; in C++ their name stands alone. */
static void put_named(struct namer *namer, Dwarf_Die *die)
{
	Dwarf_Die type = *die;
	di_die_complete(namer->module, &type);
	const char *name = dwarf_diename(&type), *word = "";
	switch (dwarf_tag(&type)) {
	case DW_TAG_structure_type:
		word = "struct ";
		break;
	case DW_TAG_class_type:
		word = "class ";
		break;
	case DW_TAG_union_type:
		word = "union ";
		break;
	case DW_TAG_enumeration_type:
		word = "enum ";
		break;
	case DW_TAG_unspecified_type:
		name = name ? name : "void";
		break;
	}
	if (!name || !*name)
		di_text_put(&namer->text, "%s%s", word, *word ? "{...}" : "<unnamed>");
	else
		di_text_put(&namer->text, "%s%s", is_c_plus_plus(&type) ? "" : word, name);
}

static void put_left(struct namer *namer, Dwarf_Die *die);
static void put_right(struct namer *namer, Dwarf_Die *die, unsigned dimension);

static void put_left_of_type(struct namer *namer, Dwarf_Die *die)
{
	Dwarf_Die type;
	if (di_die_type(namer->module, die, &type))
		put_left(namer, &type);
	else
		di_text_put(&namer->text, "void");
}

static void put_pointer(struct namer *namer, Dwarf_Die *die, int tag)
{
	Dwarf_Attribute attr;
	Dwarf_Die class;
	put_left_of_type(namer, die);
	put_space(namer, " *&(");
	if (needs_parentheses(target_tag(namer->module, die)))
		di_text_put(&namer->text, "(");
	if (tag == DW_TAG_ptr_to_member_type && dwarf_attr(die, DW_AT_containing_type, &attr) &&
		di_attribute_die(namer->module, &attr, &class)) {
		di_die_complete(namer->module, &class);
		di_text_put(
			&namer->text, "%s::", dwarf_diename(&class) ? dwarf_diename(&class) : "");
	}
	di_text_put(&namer->text, "%s",
		tag == DW_TAG_reference_type          ? "&"
		: tag == DW_TAG_rvalue_reference_type ? "&&"
						      : "*");
}

/* What stands before the place where the variable's name would be. */
static void put_left(struct namer *namer, Dwarf_Die *die)
{
	int tag = dwarf_tag(die);
	if (!namer->dies) {
		di_text_put(&namer->text, "...");
		return;
	}
	namer->dies--;
	if (is_pointer(tag)) {
		put_pointer(namer, die, tag);
	} else if (tag == DW_TAG_array_type || tag == DW_TAG_subroutine_type) {
		put_left_of_type(namer, die);
	} else if (is_qualifier(tag) && is_pointer(target_tag(namer->module, die))) {
		put_left_of_type(namer, die);
		put_space(namer, " *&(");
		di_text_put(&namer->text, "%s", qualifier_word(tag));
	} else if (is_qualifier(tag)) {
		di_text_put(&namer->text, "%s ", qualifier_word(tag));
		put_left_of_type(namer, die);
	} else {
		put_named(namer, die);
	}
}

static void put_dimensions(struct namer *namer, Dwarf_Die *die, unsigned dimension)
{
	Dwarf_Die child = {0};
	unsigned seen = 0;
	uint64_t count;
	int64_t lower;
	put_space(namer, " *&()]");
	while (di_die_next_child(die, &child)) {
		if (!di_die_is_dimension(&child) || seen++ < dimension)
			continue;
		if (di_die_count(namer->module, &child, &lower, &count))
			di_text_put(&namer->text, "[%" PRIu64 "]", count);
		else
			di_text_put(&namer->text, "[]");
	}
	if (!seen)
		di_text_put(&namer->text, "[]");
}

static void put_parameters(struct namer *namer, Dwarf_Die *die)
{
	Dwarf_Die child = {0}, type;
	const char *between = "";
	put_space(namer, " *&()]");
	di_text_put(&namer->text, "(");
	while (namer->dies && di_die_next_child(die, &child)) {
		int tag = dwarf_tag(&child);
		if (tag != DW_TAG_formal_parameter && tag != DW_TAG_unspecified_parameters)
			continue;
		di_text_put(&namer->text, "%s", between);
		between = ", ";
		if (tag == DW_TAG_unspecified_parameters) {
			di_text_put(&namer->text, "...");
		} else if (di_die_type(namer->module, &child, &type)) {
			put_left(namer, &type);
			put_right(namer, &type, 0);
		}
	}
	di_text_put(&namer->text, "%s)",
		!*between && dwarf_hasattr(die, DW_AT_prototyped) ? "void" : "");
}

/* What stands behind the variable's name. */
static void put_right(struct namer *namer, Dwarf_Die *die, unsigned dimension)
{
	Dwarf_Die type;
	int tag = dwarf_tag(die);
	if (!namer->dies)
		return;
	namer->dies--;
	if (is_pointer(tag) && needs_parentheses(target_tag(namer->module, die)))
		di_text_put(&namer->text, ")");
	if (tag == DW_TAG_array_type)
		put_dimensions(namer, die, dimension);
	else if (tag == DW_TAG_subroutine_type)
		put_parameters(namer, die);
	else if (!is_pointer(tag) && !is_qualifier(tag))
		return;
	if (di_die_type(namer->module, die, &type))
		put_right(namer, &type, 0);
}

char *di_type_name(struct di_module *module, Dwarf_Die *die, unsigned dimension)
{
	char buf[NAME_SIZE] = "";
	struct namer namer = {
		.module = module, .text = {.buf = buf, .size = sizeof buf}, .dies = NAME_DIES};
	put_left(&namer, die);
	put_right(&namer, die, dimension);
	return xs_strdup(buf);
}
