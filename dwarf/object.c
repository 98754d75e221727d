#include "dwarf/object.h"

#include <gelf.h>

#include "dwarf/file.h"
#include "dwarf/line_program.h"

static const Dwfl_Callbacks callbacks = {
	.find_debuginfo = dwfl_standard_find_debuginfo,
	.section_address = dwfl_offline_section_address,
};

static struct xs_error *load(struct di_object *object, Dwfl_Module *module)
{
	struct di_line_source source = {0};
	struct xs_ranges code = {0};
	struct xs_error *err;
	GElf_Addr bias;
	Elf_Scn *scn = NULL;
	GElf_Shdr header;
	Dwarf *dwarf = dwfl_module_getdwarf(module, &bias);
	if (!dwarf)
		return NULL; /* it has none */
	Elf *elf = dwarf_getelf(dwarf);
	xs_vec_push(&object->sections, XS_ADDR_NONE);
	while ((scn = elf_nextscn(elf, scn))) {
		if (!gelf_getshdr(scn, &header)) {
			xs_ranges_deinit(&code);
			return xs_error_create("section table: %s", elf_errmsg(-1));
		}
		xs_vec_push(&object->sections, header.sh_addr);
		if (header.sh_flags & SHF_EXECINSTR)
			xs_ranges_add(&code, header.sh_addr, header.sh_addr + header.sh_size);
	}
	xs_ranges_normalise(&code);
	source.code = &code;
	if (!(err = di_section_read(elf, ".debug_line", &source.line)) &&
		!(err = di_section_read(elf, ".debug_line_str", &source.line_str)) &&
		!(err = di_section_read(elf, ".debug_str", &source.str)))
		err = di_lines_read(dwarf, &source, &object->lines);
	/* The ranges go, and with them the way to more rows. */
	if (!err)
		di_lines_keep_all(&object->lines);
	xs_ranges_deinit(&code);
	return err;
}

struct xs_error *di_object_open(const char *path, struct di_object **ret)
{
	XS_AUTO(di_object) object = xs_calloc(1, sizeof *object);
	struct xs_error *err;
	object->dwfl = dwfl_begin(&callbacks);
	if (!object->dwfl)
		return xs_error_create("%s: %s", path, dwfl_errmsg(-1));
	Dwfl_Module *module = dwfl_report_offline(object->dwfl, "", path, -1);
	if (!module)
		return xs_error_create("%s: %s", path, dwfl_errmsg(-1));
	dwfl_report_end(object->dwfl, NULL, NULL);
	if ((err = load(object, module)))
		return xs_error_context(err, "%s", path);
	*ret = xs_take(&object);
	return NULL;
}

void di_object_destroy(struct di_object *object)
{
	if (!object)
		return;
	di_lines_deinit(&object->lines);
	xs_vec_deinit(&object->sections);
	if (object->dwfl)
		dwfl_end(object->dwfl);
	free(object);
}

const struct di_row *di_object_line(const struct di_object *object, size_t section, uint64_t offset)
{
	if (section >= object->sections.len || object->sections.data[section] == XS_ADDR_NONE)
		return NULL;
	return di_lines_find(&object->lines, object->sections.data[section] + offset);
}
