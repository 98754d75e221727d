#include "oracle/check/calculation.h"

#include <dwarf.h>
#include <string.h>

#include "dwarf/attribute.h"
#include "engine/disasm.h"
#include "engine/insn.h"

static bool begins(const char *text, const char *word)
{
	return !strncmp(text, word, strlen(word));
}

/* addsd, vmulps, ...: one of the operations on one of the formats. */
static bool is_arithmetic(const char *name)
{
	static const char *const operations[] = {"add", "sub", "mul", "div", "sqrt", "min", "max",
		"comi", "ucomi", "cmp", "round", "hadd", "hsub", "addsub", "rcp", "rsqrt", "dp",
		NULL};
	static const char *const formats[] = {"ss", "sd", "ps", "pd", "sh", "ph", NULL};
	for (const char *const *one = operations; *one; one++)
		for (const char *const *format = formats; *format; format++)
			if (begins(name, *one) && !strcmp(name + strlen(*one), *format))
				return true;
	return false;
}

bool ora_calculation_by(const char *mnemonic)
{
	const char *name = *mnemonic == 'v' ? mnemonic + 1 : mnemonic;
	bool fused = begins(name, "fmadd") || begins(name, "fmsub") || begins(name, "fnmadd") ||
		     begins(name, "fnmsub");
	/* Those of the x87 begin with f; the emulation of other formats asks how to round. */
	bool x87 = *mnemonic == 'f' && !begins(mnemonic, "fx") && !begins(mnemonic, "femms");
	return fused || x87 || begins(name, "cvt") || !strcmp(name, "stmxcsr") ||
	       is_arithmetic(name);
}

bool ora_calculation_of(const struct di_module *module)
{
	struct xs_map known = {0}; /* operations that do not -> 1 */
	bool ret = false;
	for (size_t i = 0; i < module->code.vec.len && !ret; i++) {
		xs_addr end = module->code.vec.data[i].hi, at = module->code.vec.data[i].lo;
		while (at < end && !ret) {
			size_t size;
			const uint8_t *bytes = di_module_bytes(module, at, &size);
			if (!bytes)
				break;
			size = size < ENG_INSN_MAX ? size : ENG_INSN_MAX;
			struct eng_disasm insn = eng_disasm(bytes, size, true);
			at += insn.length;
			if (!insn.valid || xs_map_find(&known, insn.mnemonic, 0))
				continue;
			ret = ora_calculation_by(eng_disasm_mnemonic(insn.mnemonic));
			*xs_map_at(&known, insn.mnemonic, 0) = 1;
		}
	}
	xs_map_deinit(&known);
	return ret;
}

static bool has_option(const char *producer)
{
	static const char *const options[] = {"-ffast-math", "-Ofast",
		"-funsafe-math-optimizations", "-ffinite-math-only", "-fassociative-math",
		"-freciprocal-math", "-fno-signed-zeros", "-mfpmath=387", "-mfpmath=both", NULL};
	for (const char *const *one = options; producer && *one; one++) {
		const char *found = strstr(producer, *one);
		if (found && (!found[strlen(*one)] || found[strlen(*one)] == ' '))
			return true;
	}
	return false;
}

bool ora_calculation_is_loose(struct di_module *module)
{
	/* Of crtfastmath.o. */
	if (di_functions_named(module->functions, "set_fast_math"))
		return true;
	Dwarf_CU *cu = NULL;
	Dwarf_Die die;
	Dwarf_Attribute attr;
	while (module->dwarf && !dwarf_get_units(module->dwarf, cu, &cu, NULL, NULL, &die, NULL))
		if (has_option(dwarf_formstring(di_attr_integrate(&die, DW_AT_producer, &attr))))
			return true;
	return false;
}
