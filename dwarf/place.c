#include "dwarf/place.h"

#include <dwarf.h>

#include "dwarf/attribute.h"

#ifndef DW_LLE_GNU_view_pair
#define DW_LLE_GNU_view_pair 0x09
#endif

/* A list while it is read. */
struct list {
	const struct di_unit *unit; /* whose */
	struct di_cursor at;        /* next entry */
	xs_addr base;               /* added to offset pairs */
	xs_addr pc;                 /* what is looked for */
	struct di_place *ret;       /* what was found */
	di_place_candidate *on_entry;
	void *arg;                      /* for on_entry */
	struct di_place_entry fallback; /* the default entry, if data is not NULL */
	bool chosen;                    /* an entry with a range applied */
	enum di_mistake mistake;        /* made on purpose, or NONE */
	xs_addr entry;                  /* of the function, for that */
};

/* It cannot be understood, for this reason: a code and operands, as di_answer_error() has them. */
#define bad(ret, ...) set_bad(ret, &(const struct di_why){.code = __VA_ARGS__})
static void set_bad(struct di_place *ret, const struct di_why *why)
{
	ret->kind = DI_PLACE_BAD;
	ret->why = *why;
}

static void choose(struct list *list, const struct di_place_entry *entry)
{
	list->ret->kind = DI_PLACE_EXPR;
	list->ret->entry = entry->offset;
	list->ret->expr = (struct di_expr_source){.data = entry->data,
		.size = entry->size,
		.unit = &list->unit->expr,
		.section = list->at.section,
		.offset = (uint64_t)(entry->data - list->at.start)};
}

/* gdb takes an empty range at a function's first instruction for a note of what is so on entry. */
static bool is_entry_note(const struct list *list, const struct di_place_entry *entry)
{
	return list->mistake == DI_MISTAKE_GDB_EMPTY_FIRST_ENTRY && !list->chosen &&
	       entry->lo == list->pc && list->pc == list->entry;
}

/* An entry has been read: does it apply? */
static void consider(struct list *list, struct di_place_entry *entry)
{
	bool holds = entry->lo <= list->pc && list->pc < entry->hi;
	if (entry->is_default && list->mistake == DI_MISTAKE_LLDB_DEFAULT_ENTRY) {
		entry->verdict = "ignored";
	} else if (entry->is_default) {
		entry->verdict = "applies where no other does";
		list->fallback = *entry;
	} else if (entry->lo == entry->hi && !is_entry_note(list, entry)) {
		entry->verdict = "empty range";
	} else if (entry->lo > entry->hi) {
		entry->verdict = "ends before it begins";
	} else if (!holds && entry->lo != entry->hi) {
		entry->verdict = "pc is outside";
	} else if (list->chosen) {
		entry->verdict = "covers pc too, but comes later";
	} else {
		entry->verdict = "chosen";
		list->chosen = true;
		choose(list, entry);
	}
	if (list->on_entry)
		list->on_entry(list->arg, entry);
}

/* The expression of an entry: as many bytes as it says. False if they are not there. */
static bool read_expr(struct list *list, struct di_place_entry *entry, uint64_t size)
{
	entry->size = size;
	entry->data = di_cursor_bytes(&list->at, size);
	if (entry->data)
		consider(list, entry);
	return entry->data;
}

static xs_addr indexed(struct list *list)
{
	xs_addr address = 0;
	uint64_t index = di_cursor_uleb(&list->at);
	if (!di_unit_address(list->unit, index, &address) && !list->at.failed)
		bad(list->ret, DI_WHY_LIST_ADDRESS, .text = {list->at.section},
			.number = {di_cursor_offset(&list->at), index});
	return address;
}

/* DWARF 5. False at the end of the list. */
static bool read_entry(struct list *list)
{
	struct di_cursor *at = &list->at;
	struct di_place_entry entry = {.offset = di_cursor_offset(at)};
	unsigned address_size = list->unit->expr.address_size;
	uint64_t kind = di_cursor_u(at, 1);
	/* gdb gives up at the first that it does not know, unless it has found what it wants. */
	if (list->mistake == DI_MISTAKE_GDB_LIST_KIND && !list->chosen &&
		(kind == DW_LLE_startx_endx || kind == DW_LLE_default_location)) {
		bad(list->ret, DI_WHY_MISTAKE, .text = {"gdb"});
		return false;
	}
	switch (kind) {
	case DW_LLE_end_of_list:
		return false;
	case DW_LLE_base_addressx:
		list->base = indexed(list);
		return true;
	case DW_LLE_base_address:
		list->base = di_cursor_u(at, address_size);
		return true;
	case DW_LLE_GNU_view_pair:
		di_cursor_uleb(at);
		di_cursor_uleb(at);
		return true;
	case DW_LLE_startx_endx:
		entry.lo = indexed(list);
		entry.hi = indexed(list);
		break;
	case DW_LLE_startx_length:
		entry.lo = indexed(list);
		entry.hi = entry.lo + di_cursor_uleb(at);
		break;
	case DW_LLE_offset_pair:
		entry.lo = list->base + di_cursor_uleb(at);
		entry.hi = list->base + di_cursor_uleb(at);
		break;
	case DW_LLE_default_location:
		entry.is_default = true;
		break;
	case DW_LLE_start_end:
		entry.lo = di_cursor_u(at, address_size);
		entry.hi = di_cursor_u(at, address_size);
		break;
	case DW_LLE_start_length:
		entry.lo = di_cursor_u(at, address_size);
		entry.hi = entry.lo + di_cursor_uleb(at);
		break;
	default:
		bad(list->ret, DI_WHY_LIST_ENTRY_KIND, .text = {at->section},
			.number = {entry.offset, kind});
		return false;
	}
	return read_expr(list, &entry, di_cursor_uleb(at));
}

/* Before DWARF 5: pairs of offsets from the base; (0, 0) ends, (-1, x) sets the base. */
static bool read_old_entry(struct list *list)
{
	struct di_cursor *at = &list->at;
	unsigned size = list->unit->expr.address_size;
	uint64_t all_ones = size >= 8 ? UINT64_MAX : (UINT64_C(1) << (8 * size)) - 1;
	struct di_place_entry entry = {.offset = di_cursor_offset(at)};
	uint64_t lo = di_cursor_u(at, size), hi = di_cursor_u(at, size);
	if (at->failed || (!lo && !hi))
		return false;
	if (lo == all_ones) {
		list->base = hi;
		return true;
	}
	entry.lo = list->base + lo;
	entry.hi = list->base + hi;
	return read_expr(list, &entry, di_cursor_u(at, 2));
}

/* The GNU form of the same in split units, before DWARF 5: addresses by index, lengths in 4 bytes.
 */
static bool read_split_entry(struct list *list)
{
	struct di_cursor *at = &list->at;
	struct di_place_entry entry = {.offset = di_cursor_offset(at)};
	uint64_t kind = di_cursor_u(at, 1);
	switch (kind) {
	case 0:
		return false;
	case 1:
		list->base = indexed(list);
		return true;
	case 2:
		entry.lo = indexed(list);
		entry.hi = indexed(list);
		break;
	case 3:
		entry.lo = indexed(list);
		entry.hi = entry.lo + di_cursor_u(at, 4);
		break;
	case 4:
		entry.lo = list->base + di_cursor_u(at, 4);
		entry.hi = list->base + di_cursor_u(at, 4);
		break;
	default:
		bad(list->ret, DI_WHY_LIST_ENTRY_KIND, .text = {at->section},
			.number = {entry.offset, kind});
		return false;
	}
	return read_expr(list, &entry, di_cursor_u(at, 2));
}

static void read_list(struct list *list, uint64_t offset)
{
	const struct di_unit *unit = list->unit;
	bool (*read)(struct list *) = unit->expr.version >= 5 ? read_entry
				      : unit->is_split        ? read_split_entry
							      : read_old_entry;
	list->ret->kind = DI_PLACE_ELSEWHERE;
	list->ret->section = list->at.section;
	list->ret->list = offset;
	di_cursor_bytes(&list->at, offset);
	while (list->ret->kind != DI_PLACE_BAD && !list->at.failed && read(list))
		;
	if (list->at.failed) {
		struct di_why why = di_cursor_why(&list->at);
		set_bad(list->ret, &why);
	}
	if (list->ret->kind == DI_PLACE_ELSEWHERE && list->fallback.data)
		choose(list, &list->fallback);
}

/* Entry `index` of the unit's table of lists, as an offset in .debug_loclists. */
static bool list_offset(const struct di_unit *unit, uint64_t index, uint64_t *ret)
{
	struct di_cursor at = unit->loclists;
	if (index > di_cursor_left(&at) / unit->expr.offset_size)
		return false;
	di_cursor_bytes(&at, unit->loclists_base + index * unit->expr.offset_size);
	*ret = unit->loclists_base + di_cursor_u(&at, unit->expr.offset_size);
	return !at.failed;
}

static void select_constant(
	const struct di_unit *unit, Dwarf_Attribute *attr, unsigned form, struct di_place *ret)
{
	Dwarf_Word word;
	Dwarf_Sword sword;
	Dwarf_Block block;
	ret->kind = DI_PLACE_CONSTANT;
	ret->size = sizeof ret->number;
	switch (form) {
	case DW_FORM_sdata:
	case DW_FORM_implicit_const:
		if (dwarf_formsdata(attr, &sword))
			bad(ret, DI_WHY_CONSTANT_UNREADABLE, .text = {dwarf_errmsg(-1)});
		else
			di_wide_to_bytes(di_wide_from_s(sword), ret->number, sizeof ret->number);
		return;
	case DW_FORM_data1:
	case DW_FORM_data2:
	case DW_FORM_data4:
	case DW_FORM_data8:
	case DW_FORM_udata:
		if (dwarf_formudata(attr, &word)) {
			bad(ret, DI_WHY_CONSTANT_UNREADABLE, .text = {dwarf_errmsg(-1)});
			return;
		}
		/* libdw extends some of these by their sign. */
		if (form == DW_FORM_data1)
			word &= 0xff;
		else if (form == DW_FORM_data2)
			word &= 0xffff;
		else if (form == DW_FORM_data4)
			word &= 0xffffffff;
		di_wide_to_bytes(di_wide_from_u(word), ret->number, sizeof ret->number);
		return;
	case DW_FORM_addr:
	case DW_FORM_addrx:
	case DW_FORM_addrx1:
	case DW_FORM_addrx2:
	case DW_FORM_addrx3:
	case DW_FORM_addrx4:
	case DW_FORM_GNU_addr_index:
		if (!di_unit_form_address(unit, attr, &word))
			bad(ret, DI_WHY_CONSTANT_UNREADABLE, .text = {dwarf_errmsg(-1)});
		else
			di_wide_to_bytes(di_wide_from_u(word), ret->number, sizeof ret->number);
		return;
	case DW_FORM_string:
	case DW_FORM_strp:
	case DW_FORM_line_strp:
	case DW_FORM_strx:
	case DW_FORM_strx1:
	case DW_FORM_strx2:
	case DW_FORM_strx3:
	case DW_FORM_strx4:
	case DW_FORM_GNU_str_index: {
		const char *text = dwarf_formstring(attr);
		ret->bytes = (const uint8_t *)text;
		ret->size = text ? strlen(text) + 1 : 0;
		if (!text)
			bad(ret, DI_WHY_CONSTANT_UNREADABLE, .text = {dwarf_errmsg(-1)});
		return;
	}
	default:
		if (dwarf_formblock(attr, &block)) {
			bad(ret, DI_WHY_CONSTANT_FORM, .number = {form},
				.text = {dwarf_errmsg(-1)});
			return;
		}
		ret->bytes = block.data;
		ret->size = block.length;
	}
}

/* lldb has no bytes of a constant whose form does not say how many there are. */
static bool is_of_fixed_size(unsigned form)
{
	return form != DW_FORM_sdata && form != DW_FORM_udata && form != DW_FORM_implicit_const;
}

static void select_expr(const struct di_unit *unit, const Dwarf_Block *block, struct di_place *ret)
{
	bool in_info = block->data >= unit->info.start && block->data < unit->info.end;
	ret->kind = DI_PLACE_EXPR;
	ret->expr = (struct di_expr_source){.data = block->data,
		.size = block->length,
		.unit = &unit->expr,
		.section = in_info ? unit->info.section : NULL,
		.offset = in_info ? (uint64_t)(block->data - unit->info.start) : 0};
}

static void place_select(const struct di_unit *unit, Dwarf_Die *die, unsigned at, xs_addr pc,
	xs_addr entry, enum di_mistake mistake, struct di_place *ret, di_place_candidate *on_entry,
	void *arg)
{
	Dwarf_Attribute attr;
	Dwarf_Block block;
	uint64_t offset, list_at;
	*ret = (struct di_place){.kind = DI_PLACE_NONE, .attribute = at};
	if (!di_attr_integrate(die, at, &attr))
		return;
	/* The attribute may be that of an origin in another unit. */
	if (attr.cu != unit->cu) {
		Dwarf_Die other;
		if (dwarf_cu_die(attr.cu, &other, NULL, NULL, NULL, NULL, NULL, NULL))
			unit = di_unit_of(unit->module, &other);
	}
	unsigned form = dwarf_whatform(&attr);
	struct list list = {.unit = unit,
		.at = unit->expr.version >= 5 ? unit->loclists : unit->loc,
		.base = unit->base,
		.pc = pc,
		.ret = ret,
		.on_entry = on_entry,
		.arg = arg,
		.mistake = mistake,
		.entry = entry};
	if (at == DW_AT_const_value) {
		if (mistake == DI_MISTAKE_LLDB_CONSTANT_DATA && !is_of_fixed_size(form))
			bad(ret, DI_WHY_MISTAKE, .text = {"lldb"});
		else
			select_constant(unit, &attr, form, ret);
		return;
	}
	switch (form) {
	case DW_FORM_exprloc:
	case DW_FORM_block:
	case DW_FORM_block1:
	case DW_FORM_block2:
	case DW_FORM_block4:
		if (dwarf_formblock(&attr, &block))
			bad(ret, DI_WHY_EXPRESSION_UNREADABLE, .text = {dwarf_errmsg(-1)});
		else
			select_expr(unit, &block, ret);
		return;
	case DW_FORM_sec_offset:
	case DW_FORM_data4:
	case DW_FORM_data8:
		if (!di_unit_form_number(unit, &attr, &offset))
			bad(ret, DI_WHY_LIST_UNREADABLE, .text = {"it is cut short"});
		else
			read_list(&list, offset);
		return;
	case DW_FORM_loclistx:
		if (di_unit_form_number(unit, &attr, &offset) &&
			list_offset(unit, offset, &list_at)) {
			read_list(&list, list_at);
			return;
		}
		bad(ret, DI_WHY_LIST_UNKNOWN);
		return;
	default:
		bad(ret, DI_WHY_LOCATION_FORM, .number = {form});
	}
}

void di_place_select(const struct di_unit *unit, Dwarf_Die *die, unsigned at, xs_addr pc,
	struct di_place *ret, di_place_candidate *on_entry, void *arg)
{
	place_select(unit, die, at, pc, 0, DI_MISTAKE_NONE, ret, on_entry, arg);
}

static unsigned place_attribute(Dwarf_Die *die)
{
	return di_hasattr_integrate(die, DW_AT_location) ? DW_AT_location : DW_AT_const_value;
}

void di_place_of_variable(const struct di_unit *unit, Dwarf_Die *die, xs_addr pc,
	struct di_place *ret, di_place_candidate *on_entry, void *arg)
{
	di_place_select(unit, die, place_attribute(die), pc, ret, on_entry, arg);
}

void di_place_mistaken(const struct di_unit *unit, Dwarf_Die *die, xs_addr pc, xs_addr entry,
	enum di_mistake mistake, struct di_place *ret)
{
	place_select(unit, die, place_attribute(die), pc, entry, mistake, ret, NULL, NULL);
}
