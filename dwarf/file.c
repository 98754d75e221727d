#include "dwarf/file.h"

#include <fcntl.h>
#include <sys/stat.h>

#include "dwarf/zstd.h"

struct xs_error *di_file_open(const char *path, const char *what, struct di_file **ret)
{
	XS_AUTO(di_file) file = xs_calloc(1, sizeof *file);
	struct stat status;
	GElf_Ehdr header;
	elf_version(EV_CURRENT);
	file->path = xs_strdup(path);
	/* O_NONBLOCK, so that opening a FIFO does not wait for a writer. */
	file->fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (file->fd < 0 || fstat(file->fd, &status))
		return xs_error_sys("%s", path);
	if (!S_ISREG(status.st_mode))
		return xs_error_create("%s: %s, not %s", path,
			S_ISDIR(status.st_mode) ? "a directory" : "not a regular file", what);
	file->size = (uint64_t)status.st_size;
	file->elf = elf_begin(file->fd, ELF_C_READ_MMAP_PRIVATE, NULL);
	if (!file->elf)
		return xs_error_create("%s: %s", path, elf_errmsg(-1));
	if (elf_kind(file->elf) != ELF_K_ELF)
		return xs_error_create("%s: not an ELF file", path);
	if (!gelf_getehdr(file->elf, &header))
		return xs_error_create("%s: cut short: %s", path, elf_errmsg(-1));
	*ret = xs_take(&file);
	return NULL;
}

void di_file_destroy(struct di_file *file)
{
	if (!file)
		return;
	elf_end(file->elf);
	for (size_t i = 0; i < file->uncompressed.len; i++)
		free(file->uncompressed.data[i]);
	xs_vec_deinit(&file->uncompressed);
	if (file->fd >= 0)
		close(file->fd);
	free(file->path);
	free(file);
}

/* --- is all of it there? ---------------------------------------------------------------------- */

struct xs_error *di_file_check_table(const struct di_file *file)
{
	GElf_Ehdr header;
	if (!gelf_getehdr(file->elf, &header))
		return xs_error_create("cut short: %s", elf_errmsg(-1));
	uint64_t end = header.e_shoff + (uint64_t)header.e_shnum * header.e_shentsize;
	if (header.e_shoff && (end < header.e_shoff || end > file->size))
		return xs_error_create("cut short: the section table ends at byte %" PRIu64
				       ", the file at %" PRIu64,
			end, file->size);
	return NULL;
}

struct xs_error *di_file_check_sections(const struct di_file *file)
{
	GElf_Shdr section;
	Elf_Scn *scn = NULL;
	while ((scn = elf_nextscn(file->elf, scn))) {
		if (!gelf_getshdr(scn, &section) || section.sh_type == SHT_NOBITS ||
			section.sh_type == SHT_NULL)
			continue;
		uint64_t end = section.sh_offset + section.sh_size;
		if (end < section.sh_offset || end > file->size)
			return xs_error_create("cut short: %s ends at byte %" PRIu64
					       ", the file at %" PRIu64,
				di_section_name(file->elf, &section), end, file->size);
	}
	return NULL;
}

struct xs_error *di_file_check_segments(const struct di_file *file)
{
	size_t segments = 0;
	GElf_Phdr segment;
	if (elf_getphdrnum(file->elf, &segments))
		return xs_error_create("cut short: no program headers: %s", elf_errmsg(-1));
	for (size_t i = 0; i < segments; i++) {
		if (!gelf_getphdr(file->elf, (int)i, &segment))
			return xs_error_create("cut short: %s", elf_errmsg(-1));
		uint64_t end = segment.p_offset + segment.p_filesz;
		if (segment.p_type == PT_LOAD && (end < segment.p_offset || end > file->size))
			return xs_error_create("cut short: segment %zu ends at byte %" PRIu64
					       ", the file at %" PRIu64,
				i, end, file->size);
	}
	return NULL;
}

/* --- sections --------------------------------------------------------------------------------- */

const char *di_section_name(Elf *elf, const GElf_Shdr *header)
{
	size_t names;
	if (elf_getshdrstrndx(elf, &names))
		return "";
	const char *name = elf_strptr(elf, names, header->sh_name);
	return name ? name : "";
}

enum { COMPRESSED_BY_ZSTD = 2 }; /* ELFCOMPRESS_ZSTD */

uint64_t di_file_uncompressed_most(const struct di_file *file)
{
	return (64U << 20) + 100 * file->size;
}

/* Puts what zstd compressed in the place of the section's bytes, in libelf's copy. */
static struct xs_error *uncompress_zstd(
	struct di_file *file, Elf_Scn *scn, const GElf_Chdr *compressed)
{
	GElf_Shdr header;
	Elf_Data *data = elf_rawdata(scn, NULL), *other = elf_getdata(scn, NULL);
	if (!data || !other || data->d_size < sizeof(Elf64_Chdr) || !gelf_getshdr(scn, &header))
		return xs_error_corrupt("compressed, and damaged");
	XS_AUTO_FREE uint8_t *bytes = xs_calloc(compressed->ch_size + 1, 1);
	struct xs_error *err = di_zstd_uncompress((const uint8_t *)data->d_buf + sizeof(Elf64_Chdr),
		data->d_size - sizeof(Elf64_Chdr), bytes, compressed->ch_size);
	if (err)
		return err;
	header.sh_flags &= ~(GElf_Xword)SHF_COMPRESSED;
	header.sh_size = compressed->ch_size;
	header.sh_addralign = compressed->ch_addralign;
	if (!gelf_update_shdr(scn, &header))
		return xs_error_create("%s", elf_errmsg(-1));
	/* We read the one, libdw the other. */
	data->d_buf = other->d_buf = bytes;
	other->d_size = compressed->ch_size;
	other->d_type = ELF_T_BYTE;
	xs_vec_push(&file->uncompressed, xs_take(&bytes));
	data->d_size = compressed->ch_size;
	return NULL;
}

/* Whether it is compressed by zstd. */
static bool is_zstd(Elf_Scn *scn, GElf_Chdr *ret)
{
	return gelf_getchdr(scn, ret) && ret->ch_type == COMPRESSED_BY_ZSTD;
}

/* What a compressed section says that it comes to. */
static uint64_t uncompressed_size(Elf_Scn *scn, bool gnu)
{
	GElf_Chdr compressed;
	if (!gnu)
		return gelf_getchdr(scn, &compressed) ? compressed.ch_size : 0;
	/* "ZLIB", and the size with the highest byte first. */
	const Elf_Data *data = elf_rawdata(scn, NULL);
	uint64_t size = 0;
	for (size_t i = 4; data && data->d_size >= 12 && i < 12; i++)
		size = size << 8 | ((const uint8_t *)data->d_buf)[i];
	return size;
}

struct xs_error *di_file_uncompress(struct di_file *file)
{
	Elf_Scn *scn = NULL;
	GElf_Shdr header;
	uint64_t left = di_file_uncompressed_most(file);
	while ((scn = elf_nextscn(file->elf, scn))) {
		if (!gelf_getshdr(scn, &header))
			continue;
		const char *name = di_section_name(file->elf, &header);
		bool gnu = !strncmp(name, ".zdebug_", 8);
		if (!gnu && (strncmp(name, ".debug_", 7) || !(header.sh_flags & SHF_COMPRESSED)))
			continue;
		uint64_t size = uncompressed_size(scn, gnu);
		if (size > left)
			return xs_error_corrupt("%s: compressed, and over %" PRIu64
						" bytes long with what is before it",
				name, di_file_uncompressed_most(file));
		left -= size;
		GElf_Chdr compressed;
		struct xs_error *err = !gnu && is_zstd(scn, &compressed)
					       ? uncompress_zstd(file, scn, &compressed)
					       : NULL;
		if (err)
			return xs_error_context(err, "%s", name);
		if (!gnu && gelf_getshdr(scn, &header) && !(header.sh_flags & SHF_COMPRESSED))
			continue;
		if ((gnu ? elf_compress_gnu(scn, 0, 0) : elf_compress(scn, 0, 0)) < 0)
			return xs_error_create(
				"%s: cannot be uncompressed: %s", name, elf_errmsg(-1));
	}
	return NULL;
}

Elf_Scn *di_section_find(Elf *elf, const char *name, GElf_Shdr *header)
{
	Elf_Scn *scn = NULL;
	while ((scn = elf_nextscn(elf, scn))) {
		if (!gelf_getshdr(scn, header) || header->sh_type == SHT_NOBITS)
			continue;
		const char *found = di_section_name(elf, header);
		if (!strcmp(found, name) ||
			(!strncmp(found, ".z", 2) && !strcmp(found + 2, name + 1)))
			return scn;
	}
	return NULL;
}

struct xs_error *di_section_read(Elf *elf, const char *name, struct di_cursor *ret)
{
	GElf_Shdr header;
	Elf_Scn *scn = di_section_find(elf, name, &header);
	*ret = di_cursor_over(name, NULL, 0);
	if (!scn)
		return NULL;
	Elf_Data *data = elf_rawdata(scn, NULL);
	if (!data || (header.sh_size && !data->d_buf))
		return xs_error_corrupt("%s: cannot be read: %s", name, elf_errmsg(-1));
	*ret = di_cursor_over(name, data->d_buf, data->d_size);
	return NULL;
}
