#include "dwarf/ranges.h"

#include <dwarf.h>

/* It cannot be understood, for this reason: a code and operands. */
#define bad(ranges, ...) ((ranges)->why = (struct di_why){.code = __VA_ARGS__})

static uint64_t all_ones(const struct di_unit *unit)
{
	unsigned size = unit->expr.address_size;
	return size >= 8 ? UINT64_MAX : (UINT64_C(1) << (8 * size)) - 1;
}

/* --- beginning -------------------------------------------------------------------------------- */

static bool address_of(const struct di_unit *unit, Dwarf_Die *die, unsigned at, xs_addr *ret)
{
	Dwarf_Attribute attr;
	return dwarf_attr(die, at, &attr) && di_unit_form_address(unit, &attr, ret);
}

/* DW_AT_high_pc is an address, or how far from lo it is. */
static bool end_of(const struct di_unit *unit, Dwarf_Die *die, xs_addr lo, xs_addr *ret)
{
	Dwarf_Attribute attr;
	uint64_t length;
	if (!dwarf_attr(die, DW_AT_high_pc, &attr))
		return false;
	if (di_unit_form_address(unit, &attr, ret))
		return true;
	*ret = lo;
	if (di_unit_form_number(unit, &attr, &length))
		*ret += length;
	return true;
}

/* Entry `index` of the unit's table of lists, as an offset in .debug_rnglists. */
static bool list_offset(const struct di_unit *unit, uint64_t index, uint64_t *ret)
{
	struct di_cursor at = unit->rnglists;
	unsigned size = unit->expr.offset_size;
	if (index > di_cursor_left(&at) / size || unit->rnglists_base > di_cursor_left(&at))
		return false;
	di_cursor_bytes(&at, unit->rnglists_base + index * size);
	*ret = unit->rnglists_base + di_cursor_u(&at, size);
	return !at.failed;
}

static void open_list(struct di_ranges *ranges, Dwarf_Attribute *attr, bool own)
{
	const struct di_unit *unit = ranges->unit;
	bool old = unit->expr.version < 5;
	uint64_t value, offset;
	if (!di_unit_form_number(unit, attr, &value)) {
		bad(ranges, DI_WHY_RANGES_FORM, .number = {dwarf_whatform(attr)});
		return;
	}
	ranges->at = old ? unit->ranges : unit->rnglists;
	ranges->base = unit->base;
	/* The unit's own are not counted from where the others begin. */
	offset = value + (old && !own ? unit->ranges_base : 0);
	if (dwarf_whatform(attr) == DW_FORM_rnglistx && !list_offset(unit, value, &offset)) {
		bad(ranges, DI_WHY_RANGES_INDEX, .number = {value});
		return;
	}
	ranges->kind = old ? DI_RANGES_OLD : DI_RANGES_NEW;
	di_cursor_bytes(&ranges->at, offset);
}

void di_ranges_open(struct di_ranges *ranges, const struct di_unit *unit, Dwarf_Die *die)
{
	Dwarf_Attribute attr;
	*ranges = (struct di_ranges){.unit = unit, .kind = DI_RANGES_NONE};
	if (address_of(unit, die, DW_AT_low_pc, &ranges->single.lo) &&
		end_of(unit, die, ranges->single.lo, &ranges->single.hi))
		ranges->kind = DI_RANGES_SINGLE;
	else if (dwarf_attr(die, DW_AT_ranges, &attr))
		open_list(ranges, &attr, die->addr == unit->die.addr);
}

/* --- entries ---------------------------------------------------------------------------------- */

static xs_addr indexed(struct di_ranges *ranges)
{
	xs_addr address = 0;
	uint64_t index = di_cursor_uleb(&ranges->at);
	if (!ranges->at.failed && !di_unit_address(ranges->unit, index, &address))
		bad(ranges, DI_WHY_LIST_ADDRESS, .text = {ranges->at.section},
			.number = {di_cursor_offset(&ranges->at), index});
	return address;
}

/* An offset from the base; nowhere, if the code there was discarded. */
static xs_addr from_base(const struct di_ranges *ranges, uint64_t offset)
{
	return ranges->base >= all_ones(ranges->unit) - 1 ? XS_ADDR_NONE : ranges->base + offset;
}

/* Before DWARF 5: pairs of offsets from the base; (0, 0) ends, (-1, x) sets the base. */
static bool read_old(struct di_ranges *ranges, struct xs_range *ret)
{
	unsigned size = ranges->unit->expr.address_size;
	for (;;) {
		uint64_t lo = di_cursor_u(&ranges->at, size), hi = di_cursor_u(&ranges->at, size);
		if (ranges->at.failed || (!lo && !hi))
			return false;
		if (lo == all_ones(ranges->unit)) {
			ranges->base = hi;
			continue;
		}
		ret->lo = from_base(ranges, lo);
		ret->hi = from_base(ranges, hi);
		return true;
	}
}

/* DWARF 5. */
static bool read_new(struct di_ranges *ranges, struct xs_range *ret)
{
	struct di_cursor *at = &ranges->at;
	unsigned size = ranges->unit->expr.address_size;
	for (;;) {
		size_t offset = di_cursor_offset(at);
		uint64_t kind = di_cursor_u(at, 1);
		if (at->failed || ranges->why.code)
			return false;
		switch (kind) {
		case DW_RLE_end_of_list:
			return false;
		case DW_RLE_base_addressx:
			ranges->base = indexed(ranges);
			continue;
		case DW_RLE_base_address:
			ranges->base = di_cursor_u(at, size);
			continue;
		case DW_RLE_startx_endx:
			ret->lo = indexed(ranges);
			ret->hi = indexed(ranges);
			break;
		case DW_RLE_startx_length:
			ret->lo = indexed(ranges);
			ret->hi = ret->lo + di_cursor_uleb(at);
			break;
		case DW_RLE_offset_pair:
			ret->lo = from_base(ranges, di_cursor_uleb(at));
			ret->hi = from_base(ranges, di_cursor_uleb(at));
			break;
		case DW_RLE_start_end:
			ret->lo = di_cursor_u(at, size);
			ret->hi = di_cursor_u(at, size);
			break;
		case DW_RLE_start_length:
			ret->lo = di_cursor_u(at, size);
			ret->hi = ret->lo + di_cursor_uleb(at);
			break;
		default:
			bad(ranges, DI_WHY_LIST_ENTRY_KIND, .text = {at->section},
				.number = {offset, kind});
			return false;
		}
		return !at->failed && !ranges->why.code;
	}
}

static bool read_entry(struct di_ranges *ranges, struct xs_range *ret)
{
	switch (ranges->kind) {
	case DI_RANGES_SINGLE:
		ranges->kind = DI_RANGES_NONE;
		*ret = ranges->single;
		return true;
	case DI_RANGES_OLD:
		return read_old(ranges, ret);
	case DI_RANGES_NEW:
		return read_new(ranges, ret);
	default:
		return false;
	}
}

/* Whether a range is in the module's code; an empty one may be at its end. */
static bool is_there(const struct di_module *module, const struct xs_range *range)
{
	return xs_ranges_find(&module->code, range->lo) ||
	       (range->lo == range->hi && range->lo &&
		       xs_ranges_find(&module->code, range->lo - 1));
}

bool di_ranges_next(struct di_ranges *ranges, struct xs_range *ret)
{
	for (; read_entry(ranges, ret); ranges->told = true)
		if (ret->lo <= ret->hi && is_there(ranges->unit->module, ret))
			return ranges->told = true;
	ranges->kind = DI_RANGES_NONE;
	if (ranges->at.failed && !ranges->why.code)
		ranges->why = di_cursor_why(&ranges->at);
	return false;
}

/* --- entry ------------------------------------------------------------------------------------ */

/* What an offset is counted from: DW_AT_low_pc, or the first address of the list. */
static bool start_of(const struct di_unit *unit, Dwarf_Die *die, xs_addr *ret)
{
	struct di_ranges ranges;
	struct xs_range first;
	if (address_of(unit, die, DW_AT_low_pc, ret))
		return true;
	di_ranges_open(&ranges, unit, die);
	if (!read_entry(&ranges, &first))
		return false;
	*ret = first.lo;
	return true;
}

static bool entry_of(const struct di_unit *unit, Dwarf_Die *die, xs_addr *ret)
{
	Dwarf_Attribute attr;
	uint64_t offset = 0;
	if (dwarf_attr(die, DW_AT_entry_pc, &attr)) {
		if (di_unit_form_address(unit, &attr, ret))
			return true;
		if (!di_unit_form_number(unit, &attr, &offset))
			offset = 0;
	}
	if (!start_of(unit, die, ret))
		return false;
	*ret += offset;
	return true;
}

bool di_ranges_entry(const struct di_unit *unit, Dwarf_Die *die, xs_addr *ret)
{
	struct di_ranges ranges;
	struct xs_range range;
	if (entry_of(unit, die, ret) && xs_ranges_find(&unit->module->code, *ret))
		return true;
	di_ranges_open(&ranges, unit, die);
	while (di_ranges_next(&ranges, &range))
		if (range.lo < range.hi) {
			*ret = range.lo;
			return true;
		}
	return false;
}
