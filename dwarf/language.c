#include "dwarf/language.h"

#include <dwarf.h>
#include <inttypes.h>
#include <stdio.h>

#include "dwarf/attribute.h"
#include "dwarf/function.h"
#include "dwarf/type.h"

/* Codes that libdw's dwarf.h of today does not have. */
enum {
	LANG_ZIG = 0x27,
	LANG_CRYSTAL = 0x28,
	LANG_CPP17 = 0x2a,
	LANG_CPP20 = 0x2b,
	LANG_C17 = 0x2c,
	LANG_FORTRAN18 = 0x2d,
	LANG_ADA2005 = 0x2e,
	LANG_ADA2012 = 0x2f,
	LANG_ASSEMBLY = 0x31,
};

/* One of those that are told apart by name. */
struct language {
	unsigned number; /* DW_LANG_... */
	enum di_language language;
	const char *name;
};

static const struct language languages[] = {
	{DW_LANG_C89, DI_LANGUAGE_C, "C"},
	{DW_LANG_C, DI_LANGUAGE_C, "C"},
	{DW_LANG_C99, DI_LANGUAGE_C, "C"},
	{DW_LANG_C11, DI_LANGUAGE_C, "C"},
	{LANG_C17, DI_LANGUAGE_C, "C"},
	{DW_LANG_C_plus_plus, DI_LANGUAGE_CPP, "C++"},
	{DW_LANG_C_plus_plus_03, DI_LANGUAGE_CPP, "C++"},
	{DW_LANG_C_plus_plus_11, DI_LANGUAGE_CPP, "C++"},
	{DW_LANG_C_plus_plus_14, DI_LANGUAGE_CPP, "C++"},
	{LANG_CPP17, DI_LANGUAGE_CPP, "C++"},
	{LANG_CPP20, DI_LANGUAGE_CPP, "C++"},
	{DW_LANG_Rust, DI_LANGUAGE_RUST, "Rust"},
	{DW_LANG_Mips_Assembler, DI_LANGUAGE_ASSEMBLER, "assembly"},
	{LANG_ASSEMBLY, DI_LANGUAGE_ASSEMBLER, "assembly"},
	{DW_LANG_Fortran77, DI_LANGUAGE_OTHER, "Fortran"},
	{DW_LANG_Fortran90, DI_LANGUAGE_OTHER, "Fortran"},
	{DW_LANG_Fortran95, DI_LANGUAGE_OTHER, "Fortran"},
	{DW_LANG_Fortran03, DI_LANGUAGE_OTHER, "Fortran"},
	{DW_LANG_Fortran08, DI_LANGUAGE_OTHER, "Fortran"},
	{LANG_FORTRAN18, DI_LANGUAGE_OTHER, "Fortran"},
	{DW_LANG_D, DI_LANGUAGE_OTHER, "D"},
	{DW_LANG_Ada83, DI_LANGUAGE_OTHER, "Ada"},
	{DW_LANG_Ada95, DI_LANGUAGE_OTHER, "Ada"},
	{LANG_ADA2005, DI_LANGUAGE_OTHER, "Ada"},
	{LANG_ADA2012, DI_LANGUAGE_OTHER, "Ada"},
	{DW_LANG_Go, DI_LANGUAGE_OTHER, "Go"},
	{DW_LANG_Pascal83, DI_LANGUAGE_OTHER, "Pascal"},
	{LANG_ZIG, DI_LANGUAGE_OTHER, "Zig"},
	{LANG_CRYSTAL, DI_LANGUAGE_OTHER, "Crystal"},
	{DW_LANG_Modula2, DI_LANGUAGE_OTHER, "Modula-2"},
	{DW_LANG_Modula3, DI_LANGUAGE_OTHER, "Modula-3"},
	{DW_LANG_ObjC, DI_LANGUAGE_OTHER, "Objective-C"},
	{DW_LANG_ObjC_plus_plus, DI_LANGUAGE_OTHER, "Objective-C++"},
	{DW_LANG_Cobol74, DI_LANGUAGE_OTHER, "Cobol"},
	{DW_LANG_Cobol85, DI_LANGUAGE_OTHER, "Cobol"},
	{DW_LANG_Haskell, DI_LANGUAGE_OTHER, "Haskell"},
	{DW_LANG_OCaml, DI_LANGUAGE_OTHER, "OCaml"},
	{DW_LANG_Swift, DI_LANGUAGE_OTHER, "Swift"},
	{DW_LANG_Julia, DI_LANGUAGE_OTHER, "Julia"},
	{DW_LANG_UPC, DI_LANGUAGE_OTHER, "UPC"},
	{DW_LANG_OpenCL, DI_LANGUAGE_OTHER, "OpenCL"},
	{DW_LANG_Java, DI_LANGUAGE_OTHER, "Java"},
	{0, DI_LANGUAGE_UNKNOWN, "an unnamed language"},
};

static const struct language *find(uint64_t number)
{
	for (size_t i = 0; i < sizeof languages / sizeof *languages; i++)
		if (languages[i].number == number)
			return &languages[i];
	return NULL;
}

uint64_t di_language_number(const struct di_unit *unit)
{
	Dwarf_Die die = unit->die;
	int number = dwarf_srclang(&die);
	return number < 0 ? 0 : (uint64_t)number;
}

enum di_language di_language_of(const struct di_unit *unit)
{
	Dwarf_Die die = unit->die;
	uint64_t number = di_language_number(unit);
	if (!number && dwarf_tag(&die) != DW_TAG_compile_unit &&
		dwarf_tag(&die) != DW_TAG_skeleton_unit)
		return DI_LANGUAGE_C; /* a part of others: rule 1 */
	const struct language *language = find(number);
	return language ? language->language : DI_LANGUAGE_OTHER;
}

enum di_language di_language_at(struct di_module *module, xs_addr pc)
{
	const struct di_function *function = di_functions_find_debug(module->functions, pc);
	if (!function)
		return DI_LANGUAGE_C;
	Dwarf_Die die = function->die;
	return di_language_of(di_unit_of(module, &die));
}

const char *di_language_name(uint64_t number, char buf[static DI_DW_NAME])
{
	const struct language *language = find(number);
	if (language)
		return language->name;
	snprintf(buf, DI_DW_NAME, "language 0x%" PRIx64, number);
	return buf;
}

bool di_language_is_plain(const struct di_type *type)
{
	Dwarf_Die die = type->die;
	return type->kind == DI_TYPE_BASE && !type->problem && die.addr &&
	       dwarf_tag(&die) == DW_TAG_base_type;
}
