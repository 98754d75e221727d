#include "dwarf/gaps.h"

#include <dwarf.h>

#include "base/log.h"
#include "base/search.h"
#include "dwarf/attribute.h"
#include "dwarf/unit.h"

/* --- units ------------------------------------------------------------------------------------ */

/* The header at the cursor, which is then behind the unit. empty: the header is all there is. */
static struct xs_error *check_header(struct di_cursor *at, bool *empty)
{
	size_t offset = di_cursor_offset(at);
	size_t offset_size = 4;
	uint64_t length = di_cursor_u(at, 4);
	if (length == 0xffffffff) {
		offset_size = 8;
		length = di_cursor_u(at, 8);
	}
	if (at->failed)
		return di_cursor_error(at);
	if (length > di_cursor_left(at))
		return xs_error_corrupt(".debug_info+0x%zx: the unit claims %" PRIu64
					" bytes, %zu are left",
			offset, length, di_cursor_left(at));
	struct di_cursor unit = *at;
	uint64_t version = di_cursor_u(&unit, 2);
	if (length < 2 || version < 2 || version > 5)
		return xs_error_corrupt(".debug_info+0x%zx: a unit of DWARF %" PRIu64
					", not 2 to 5",
			offset, version);
	/* version, address size, offset of abbreviations; since DWARF 5 the kind of unit as well */
	*empty = length == (version < 5 ? 3 : 4) + offset_size;
	di_cursor_bytes(at, length);
	return NULL;
}

static bool is_unit(int tag)
{
	return tag == DW_TAG_compile_unit || tag == DW_TAG_partial_unit ||
	       tag == DW_TAG_type_unit || tag == DW_TAG_skeleton_unit;
}

/* Whether a unit ends with its header. Nothing is in it, which does not speak against others. */
static bool is_empty(Dwarf_Die *unit)
{
	Dwarf_Off begin = dwarf_dieoffset(unit) - dwarf_cuoffset(unit), end;
	size_t header;
	return !dwarf_nextcu(dwarf_cu_getdwarf(unit->cu), begin, &end, &header, NULL, NULL, NULL) &&
	       begin + header >= end;
}

/* Whether the strings of a unit's own entry are there. */
static struct xs_error *check_strings(Dwarf_Die *unit)
{
	static const unsigned texts[] = {DW_AT_name, DW_AT_comp_dir, DW_AT_producer};
	Dwarf_Attribute attr;
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
		if (!dwarf_attr(unit, texts[i], &attr) || dwarf_formstring(&attr))
			continue;
		unsigned form = dwarf_whatform(&attr);
		if (form == DW_FORM_strp || form == DW_FORM_line_strp)
			return xs_error_corrupt(".debug_info+0x%" PRIx64
						": its unit has no name: %s is missing or cut "
						"short",
				(uint64_t)dwarf_dieoffset(unit),
				form == DW_FORM_strp ? ".debug_str" : ".debug_line_str");
	}
	return NULL;
}

struct xs_error *di_gaps_check_units(const struct di_module *module)
{
	struct di_cursor at;
	Dwarf_CU *cu = NULL;
	Dwarf_Die unit;
	struct xs_error *err;
	if (!module->dwarf)
		return NULL;
	if ((err = di_module_section(module, ".debug_info", &at)))
		return err;
	bool empty = false;
	while (di_cursor_left(&at))
		if ((err = check_header(&at, &empty)))
			return err;
	int more;
	while (!(more = dwarf_get_units(module->dwarf, cu, &cu, NULL, NULL, &unit, NULL))) {
		if (is_empty(&unit))
			continue;
		if (!is_unit(dwarf_tag(&unit)))
			return xs_error_corrupt(".debug_info+0x%" PRIx64
						": no unit begins with that entry",
				(uint64_t)dwarf_dieoffset(&unit));
		if ((err = check_strings(&unit)))
			return err;
	}
	/* libdw fails at a last unit that is empty, behind which there is nothing. */
	return more < 0 && !empty ? xs_error_corrupt(".debug_info: %s", dwarf_errmsg(-1)) : NULL;
}

static void tell_entry(const struct di_module *module, Dwarf_Die *die)
{
	const char *why = dwarf_errmsg(-1);
	xs_log(XS_LOG_DWARF, XS_LOG_WARN,
		"%s: what follows .debug_info+0x%" PRIx64
		" in its unit cannot be read: %s; nothing is known of it",
		module->path, (uint64_t)dwarf_dieoffset(die), why ? why : "no reason");
}

int di_gaps_child(const struct di_module *module, Dwarf_Die *die, Dwarf_Die *ret)
{
	int end = dwarf_child(die, ret);
	if (end < 0)
		tell_entry(module, die);
	return end;
}

int di_gaps_sibling(const struct di_module *module, Dwarf_Die *die, Dwarf_Die *ret)
{
	Dwarf_Die from = *die;
	int end = dwarf_siblingof(die, ret);
	if (end < 0)
		tell_entry(module, &from);
	return end;
}

/* --- all of it -------------------------------------------------------------------------------- */

static bool has_section(const struct di_module *module, const char *name)
{
	GElf_Shdr header;
	return di_section_find(module->elf, name, &header);
}

bool di_gaps_zstd(const struct di_module *module)
{
	return module->file->uncompressed.len ||
	       (module->separate && module->separate->uncompressed.len);
}

bool di_gaps_wide(const struct di_module *module)
{
	struct di_cursor at;
	struct xs_error *err = di_module_section(module, ".debug_info", &at);
	bool wide = false;
	while (!err && !wide && di_cursor_left(&at) >= 4) {
		uint64_t length = di_cursor_u(&at, 4);
		wide = length == 0xffffffff;
		if (!wide && !di_cursor_bytes(&at, length))
			break;
	}
	xs_error_destroy(err);
	return wide;
}

const char *di_gaps_unread(const struct di_module *module)
{
	if (module->dwarf)
		return NULL;
	if (has_section(module, ".debug"))
		return "debug information of DWARF 1, which is not read";
	if (has_section(module, ".stab"))
		return "debug information in stabs, which are not read";
	if (has_section(module, ".debug_line"))
		return "its .debug_line cannot be read without .debug_info";
	return NULL;
}

const char *di_gaps_reason(const struct di_module *module, bool lines)
{
	size_t functions = 0;
	if (!lines && !module->lines.sequences.len)
		di_functions_ranges(module->functions, &functions);
	if (module->lines.sequences.len || functions)
		return NULL;
	if (module->dwarf)
		return "no line information";
	if (di_gaps_unread(module))
		return di_gaps_unread(module);
	return module->knowledge == DI_KNOW_NOTHING ? "stripped: no debug information"
						    : "no debug information";
}

bool di_gaps_minimal(const struct di_unit *unit)
{
	Dwarf_Die die = unit->die;
	Dwarf_Attribute attr;
	const char *producer = dwarf_formstring(di_attr_integrate(&die, DW_AT_producer, &attr));
	const char *at = producer ? strstr(producer, " -g1") : NULL;
	return at && (at[4] == ' ' || !at[4]);
}

/* --- functions -------------------------------------------------------------------------------- */

static bool has_lines(const struct di_lines *lines, xs_addr pc)
{
	const struct di_sequence *sequences = lines->sequences.data;
	size_t i;
	xs_search(i, 0, lines->sequences.len, sequences[i].lo <= pc);
	return i && sequences[i - 1].reach > pc;
}

/* What compilers, linkers and the C library add to every program, by name. Names with two
 * underscores are theirs, too; mold has `puts$plt` for what is in .plt, and `puts$pltgot`. */
static bool is_added(const char *name)
{
	static const char *const names[] = {"_start", "_init", "_fini", "deregister_tm_clones",
		"register_tm_clones", "frame_dummy", "_dl_relocate_static_pie", "atexit",
		"at_quick_exit", "pthread_atfork", "set_fast_math"};
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (!strcmp(name, names[i]))
			return true;
	return strstr(name, "__") || strstr(name, "$plt");
}

/* Whether a function is part of a library that comes without lines: with the C library in it, or
 * what a compiler adds for sanitizers and profiles, most of a program is somebody else's. */
static bool is_of_library(const char *name)
{
	static const char *const begin[] = {"__libc_start_main", "__sanitizer_", "__asan_",
		"__tsan_", "__msan_", "__ubsan_", "__gcov_", "__llvm_profile_"};
	for (size_t i = 0; i < sizeof begin / sizeof *begin; i++)
		if (!strncmp(name, begin[i], strlen(begin[i])))
			return true;
	return false;
}

size_t di_gaps_functions(const struct di_module *module, const char **first)
{
	size_t symbols, count = 0;
	const struct di_function_range *ranges = di_functions_symbols(module->functions, &symbols);
	*first = NULL;
	for (size_t i = 0; module->lines.sequences.len && i < symbols; i++) {
		const char *name = ranges[i].function->name;
		if (is_of_library(name)) {
			*first = NULL;
			return 0;
		}
		if (has_lines(&module->lines, ranges[i].lo) || is_added(name))
			continue;
		*first = *first ? *first : name;
		count++;
	}
	return count;
}
