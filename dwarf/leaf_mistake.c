/* Objects as debuggers read them, mistakes included. Part of leaf.h. */
#include <dwarf.h>

#include "dwarf/attribute.h"
#include "dwarf/leaf.h"
#include "dwarf/scalar.h"

/* gdb takes for a synthetic pointer what no piece says anything else of: what is behind the last
 * one too, and what is no pointer by its type. */
static bool is_synthetic(const struct di_leaf_place *place)
{
	uint64_t end = 0;
	for (size_t i = 0; i < place->location->count; i++)
		end += place->location->piece[i].bit_size;
	return place->pointer || (place->location->composite && place->bit_offset >= end);
}

/* lldb reads as many bytes as the bit-field's type has, from a multiple of that size on. If the
 * field ends behind them it reads further up, by whole bytes, and takes as much off the number of
 * the first bit: which is a byte without a sign, and may have been less. Shifting by too much is
 * done modulo 64. */
static struct xs_error *bit_field_of_lldb(const struct di_leaf_host *host,
	const struct di_leaf_place *place, struct di_wide *ret, struct di_answer *answer)
{
	unsigned unit = (unsigned)(8 * place->type->size);
	if (!unit || unit > 64)
		return di_location_bits(
			host, place->location, place->bit_offset, place->bit_size, ret, answer);
	uint64_t within = place->member_offset % unit, first = place->bit_offset - within;
	uint8_t shift = (uint8_t)within;
	if (within && within + place->bit_size > unit) {
		uint64_t over = (within + place->bit_size - unit + 7) / 8;
		first += 8 * over;
		shift = (uint8_t)(within - 8 * over);
	}
	struct xs_error *err = di_location_bits(host, place->location, first, unit, ret, answer);
	if (err || answer->state != DI_ANSWER_KNOWN)
		return err;
	bool is_signed = place->type->base.kind == DI_BASE_SIGNED;
	struct di_wide word = is_signed ? di_wide_sext(*ret, unit) : *ret;
	word = is_signed ? di_wide_sar(word, shift % 64)
			 : di_wide_shr(di_wide_zext(word, 64), shift % 64);
	*ret = di_wide_zext(word, place->bit_size);
	return NULL;
}

bool di_leaf_wide_tag(
	const struct di_leaf_host *host, const struct di_type *tag, struct di_answer *answer)
{
	return host->mistake == DI_MISTAKE_GDB_WIDE_TAG && tag && tag->size > 8 &&
	       !di_answer_error(answer, DI_WHY_MISTAKE, .text = {"gdb"});
}

struct xs_error *di_leaf_mistaken(const struct di_leaf_host *host,
	const struct di_leaf_place *place, struct di_wide *ret, struct di_answer *answer)
{
	bool field = place->member_offset != UINT64_MAX;
	*ret = (struct di_wide){0};
	di_answer_known(answer);
	if (host->mistake == DI_MISTAKE_GDB_SYNTHETIC_POINTER && is_synthetic(place)) {
		answer->why.code = DI_WHY_MISTAKE;
		return NULL;
	}
	if (host->mistake == DI_MISTAKE_GDB_WIDE_BIT_FIELD && field &&
		place->bit_offset % 8 + place->bit_size > 64) {
		di_answer_error(answer, DI_WHY_MISTAKE, .text = {"gdb"});
		return NULL;
	}
	if (place->type->kind == DI_TYPE_ENUM && di_leaf_wide_tag(host, place->type, answer))
		return NULL;
	if (host->mistake == DI_MISTAKE_LLDB_BIT_FIELD && field)
		return bit_field_of_lldb(host, place, ret, answer);
	return di_location_bits(
		host, place->location, place->bit_offset, place->bit_size, ret, answer);
}

bool di_leaf_too_small(const struct di_leaf_host *host, const struct di_location *location,
	const struct di_type *type, struct di_answer *answer)
{
	return di_scalar_is(host->mistake) && !location->composite && location->count == 1 &&
	       location->piece[0].kind == DI_PIECE_VALUE &&
	       location->piece[0].value.type.bits < 8 * type->size &&
	       !di_answer_error(answer, DI_WHY_MISTAKE, .text = {"lldb"});
}

/* An attribute as lldb takes it for a number: an expression for how many bytes it has, another
 * entry for where that is in its unit. */
static bool raw_number(Dwarf_Die *die, unsigned at, uint64_t *ret)
{
	Dwarf_Attribute attr;
	Dwarf_Block block;
	Dwarf_Die other;
	Dwarf_Word word;
	if (!di_attr_integrate(die, at, &attr))
		return false;
	if (!dwarf_formblock(&attr, &block))
		*ret = block.length;
	else if (di_formref_die(&attr, &other))
		*ret = dwarf_cuoffset(&other);
	else if (!dwarf_formudata(&attr, &word))
		*ret = word;
	else
		return false;
	return true;
}

/* How many elements lldb finds; it does ask for the value of a variable that is the count. */
static bool count_of_lldb(const struct di_type *type, uint64_t *ret)
{
	Dwarf_Die subrange = type->subrange;
	uint64_t upper, lower = 0;
	if (di_hasattr_integrate(&subrange, DW_AT_count) ||
		!raw_number(&subrange, DW_AT_upper_bound, &upper))
		return false;
	raw_number(&subrange, DW_AT_lower_bound, &lower);
	*ret = upper >= lower ? upper - lower + 1 : 0;
	return true;
}

const struct di_type *di_leaf_array(
	const struct di_leaf_host *host, const struct di_type *type, struct di_type *plain)
{
	if (host->mistake != DI_MISTAKE_LLDB_DYNAMIC_TYPE)
		return type;
	/* Elements lie one behind the other, where the array is, and are counted from 0. */
	*plain = *type;
	plain->bit_stride = 0;
	plain->lower = 0;
	plain->data_elsewhere = false;
	if (type->count_dynamic && count_of_lldb(type, &plain->count))
		plain->count_known = true;
	return plain;
}

bool di_leaf_lacks(const struct di_leaf_host *host, const struct di_member *member)
{
	/* Virtual base classes it finds by itself, through the object's virtual table. */
	return (host->mistake == DI_MISTAKE_LLDB_DYNAMIC_TYPE && member->dynamic_offset &&
		       !member->base_class) ||
	       (host->mistake == DI_MISTAKE_LLDB_VARIANT_PART &&
		       member->type->kind == DI_TYPE_VARIANTS);
}
