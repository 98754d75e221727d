#include "dwarf/type_odd.h"

#include <dwarf.h>
#include <stdint.h>

#include "dwarf/type_name.h"

enum { TAG_LLVM_ANNOTATION = 0x6000, TAG_APPLE_PROPERTY = 0x4200 };

bool di_tag_adds_nothing(int tag)
{
	switch (tag) {
	/* Types that are declared inside. */
	case DW_TAG_array_type:
	case DW_TAG_atomic_type:
	case DW_TAG_base_type:
	case DW_TAG_class_type:
	case DW_TAG_const_type:
	case DW_TAG_enumeration_type:
	case DW_TAG_interface_type:
	case DW_TAG_pointer_type:
	case DW_TAG_ptr_to_member_type:
	case DW_TAG_reference_type:
	case DW_TAG_restrict_type:
	case DW_TAG_rvalue_reference_type:
	case DW_TAG_structure_type:
	case DW_TAG_subrange_type:
	case DW_TAG_subroutine_type:
	case DW_TAG_template_alias:
	case DW_TAG_typedef:
	case DW_TAG_union_type:
	case DW_TAG_unspecified_type:
	case DW_TAG_volatile_type:
	/* What else may be declared there, and is no part of an object. */
	case DW_TAG_access_declaration:
	case DW_TAG_constant:
	case DW_TAG_dwarf_procedure:
	case DW_TAG_enumerator:
	case DW_TAG_friend:
	case DW_TAG_imported_declaration:
	case DW_TAG_imported_module:
	case DW_TAG_subprogram:
	case DW_TAG_template_type_parameter:
	case DW_TAG_template_value_parameter:
	case DW_TAG_variable: /* a static member, since DWARF 5 */
	case DW_TAG_GNU_template_parameter_pack:
	case DW_TAG_GNU_template_template_param:
	case TAG_APPLE_PROPERTY:
	case TAG_LLVM_ANNOTATION:
		return true;
	default:
		return false;
	}
}

/* Whether the attribute is there and no constant. */
static bool varies(Dwarf_Die *die, unsigned at)
{
	uint64_t number;
	return dwarf_hasattr(die, at) && !di_die_constant(die, at, &number);
}

static bool has_attribute(Dwarf_Die *die, unsigned at)
{
	return dwarf_hasattr(die, at);
}

/* The first of a list of attributes, which ends with 0, for which has() holds; or 0. */
static unsigned first_of(
	Dwarf_Die *die, const unsigned *list, bool (*has)(Dwarf_Die *die, unsigned at))
{
	while (*list && !has(die, *list))
		list++;
	return *list;
}

static struct di_why odd_attribute(unsigned at)
{
	return (struct di_why){.code = at ? DI_WHY_TYPE_ATTRIBUTE : DI_WHY_NONE, .number = {at}};
}

/* x86 is little-endian: any other order is not. */
static unsigned foreign_order(Dwarf_Die *die)
{
	uint64_t order = DW_END_default;
	di_die_constant(die, DW_AT_endianity, &order);
	return order == DW_END_default || order == DW_END_little ? 0 : DW_AT_endianity;
}

/* A base type whose bits are not the low ones of its bytes. */
static unsigned shifted_bits(Dwarf_Die *die)
{
	uint64_t size, bits, offset;
	if (di_die_constant(die, DW_AT_data_bit_offset, &offset) && offset)
		return DW_AT_data_bit_offset;
	return di_die_constant(die, DW_AT_bit_offset, &offset) &&
			       di_die_constant(die, DW_AT_byte_size, &size) &&
			       di_die_constant(die, DW_AT_bit_size, &bits) &&
			       offset != 8 * size - bits
		       ? DW_AT_bit_offset
		       : 0;
}

static struct di_why array_oddity(Dwarf_Die *die)
{
	static const unsigned varying[] = {DW_AT_lower_bound, DW_AT_bit_stride, 0};
	Dwarf_Die child = {0};
	unsigned dimensions = 0, odd = dwarf_hasattr(die, DW_AT_rank) ? DW_AT_rank : 0;
	uint64_t order = DW_ORD_row_major;
	while (!odd && di_die_next_child(die, &child)) {
		int tag = dwarf_tag(&child);
		if (!di_tag_adds_nothing(tag))
			return (struct di_why){.code = DI_WHY_TYPE_TAG, .number = {(unsigned)tag}};
		if (!di_die_is_dimension(&child))
			continue;
		dimensions++;
		odd = first_of(&child, varying, varies);
	}
	di_die_constant(die, DW_AT_ordering, &order);
	if (!odd && order != DW_ORD_row_major && dimensions > 1)
		odd = DW_AT_ordering;
	return odd_attribute(odd);
}

struct di_why di_type_oddity(Dwarf_Die *die)
{
	static const unsigned descriptor[] = {
		DW_AT_data_location, DW_AT_allocated, DW_AT_associated, 0};
	static const unsigned scale[] = {DW_AT_binary_scale, DW_AT_decimal_scale, DW_AT_small,
		DW_AT_GNU_numerator, DW_AT_GNU_denominator, DW_AT_GNU_bias, 0};
	static const unsigned varying[] = {
		DW_AT_byte_size, DW_AT_bit_size, DW_AT_bit_offset, DW_AT_data_bit_offset, 0};
	int tag = dwarf_tag(die);
	unsigned odd = foreign_order(die);
	if (!odd && tag == DW_TAG_array_type)
		return array_oddity(die);
	if (!odd)
		odd = first_of(die, descriptor, has_attribute);
	if (!odd && (tag == DW_TAG_base_type || tag == DW_TAG_subrange_type))
		odd = first_of(die, scale, has_attribute);
	if (!odd && (tag == DW_TAG_base_type || tag == DW_TAG_enumeration_type ||
			    tag == DW_TAG_pointer_type))
		odd = first_of(die, varying, varies);
	if (!odd && tag == DW_TAG_base_type)
		odd = shifted_bits(die);
	return odd_attribute(odd);
}

struct di_why di_member_oddity(Dwarf_Die *die)
{
	static const unsigned varying[] = {
		DW_AT_bit_size, DW_AT_bit_offset, DW_AT_data_bit_offset, 0};
	unsigned odd = foreign_order(die);
	return odd_attribute(odd ? odd : first_of(die, varying, varies));
}

struct di_why di_variable_oddity(Dwarf_Die *die)
{
	return odd_attribute(foreign_order(die));
}
