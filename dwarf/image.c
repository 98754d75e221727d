#include "dwarf/image.h"

#include <gelf.h>

#include "base/alloc.h"

enum { NAME_MAX_SIZE = 40 };

/* The file: a header, the names, and a table of sections that have no bytes yet. */
struct file {
	Elf64_Ehdr header;
	Elf64_Shdr sections[DI_IMAGE_SECTIONS + 2]; /* none, the parts, the names */
	char names[(DI_IMAGE_SECTIONS + 2) * NAME_MAX_SIZE];
};

static struct file *make_file(const struct di_image_part *parts, size_t count)
{
	struct file *file = xs_calloc(1, sizeof *file);
	size_t strings = count + 1;
	memcpy(file->header.e_ident, ELFMAG, SELFMAG);
	file->header.e_ident[EI_CLASS] = ELFCLASS64;
	file->header.e_ident[EI_DATA] = ELFDATA2LSB;
	file->header.e_ident[EI_VERSION] = EV_CURRENT;
	file->header.e_type = ET_REL;
	file->header.e_machine = EM_X86_64;
	file->header.e_version = EV_CURRENT;
	file->header.e_ehsize = sizeof file->header;
	file->header.e_shoff = offsetof(struct file, sections);
	file->header.e_shentsize = sizeof *file->sections;
	file->header.e_shnum = (Elf64_Half)(count + 2);
	file->header.e_shstrndx = (Elf64_Half)strings;
	for (size_t i = 0; i <= count; i++) {
		Elf64_Shdr *section = &file->sections[i + 1];
		size_t at = (i + 1) * NAME_MAX_SIZE;
		snprintf(file->names + at, NAME_MAX_SIZE, "%s",
			i < count ? parts[i].name : ".shstrtab");
		section->sh_name = (Elf64_Word)at;
		section->sh_type = SHT_PROGBITS;
		section->sh_offset = sizeof *file;
		section->sh_addralign = 1;
	}
	file->sections[strings].sh_type = SHT_STRTAB;
	file->sections[strings].sh_offset = offsetof(struct file, names);
	file->sections[strings].sh_size = sizeof file->names;
	return file;
}

struct xs_error *di_image_open(
	const struct di_image_part *parts, size_t count, struct di_image *ret)
{
	xs_assert(count <= DI_IMAGE_SECTIONS);
	*ret = (struct di_image){.bytes = (uint8_t *)make_file(parts, count)};
	ret->elf = elf_memory((char *)ret->bytes, sizeof(struct file));
	for (size_t i = 0; ret->elf && i < count; i++) {
		/* libelf keeps its descriptors of a section: what they say is what libdw sees. */
		Elf_Scn *scn = elf_getscn(ret->elf, i + 1);
		Elf_Data *both[] = {elf_rawdata(scn, NULL), elf_getdata(scn, NULL)};
		for (size_t k = 0; k < 2; k++) {
			if (!both[k])
				continue;
			both[k]->d_buf = (void *)(uintptr_t)parts[i].data;
			both[k]->d_size = parts[i].size;
		}
	}
	ret->dwarf = ret->elf ? dwarf_begin_elf(ret->elf, DWARF_C_READ, NULL) : NULL;
	if (ret->dwarf)
		return NULL;
	di_image_deinit(ret);
	return xs_error_corrupt("%s", dwarf_errmsg(-1));
}

void di_image_deinit(struct di_image *image)
{
	if (image->dwarf)
		dwarf_end(image->dwarf);
	if (image->elf)
		elf_end(image->elf);
	free(image->bytes);
	*image = (struct di_image){0};
}
