#include "dwarf/debugfile.h"

#include <elfutils/libdwelf.h>
#include <limits.h>
#include <sys/stat.h>

#include "base/log.h"
#include "dwarf/debuginfod.h"

/* What is looked for, and how to know it when it is found. */
struct search {
	const struct di_file *of; /* the file that needs another */
	const char *root;         /* the debug root */
	char folder[PATH_MAX];    /* where `of` lies, without symbolic links */
	const uint8_t *id;        /* the build-id it must have */
	size_t id_size;           /* 0: none is known */
	const char *name;         /* what .gnu_debuglink calls it, NULL if there is none */
	uint32_t crc;             /* of the whole file, as .gnu_debuglink says */
};

/* Whether a file is the one; an error says why not, without the file's name. */
typedef struct xs_error *verifier(const struct search *search, const struct di_file *file);

static struct search search_for(const struct di_file *of, const struct di_module_options *options)
{
	struct search search = {.of = of, .root = DI_DEBUG_ROOT};
	char real[PATH_MAX];
	if (options && options->debug_root)
		search.root = options->debug_root;
	if (!realpath(of->path, real))
		return search;
	*strrchr(real, '/') = 0;
	strcpy(search.folder, real);
	return search;
}

/* --- proof ------------------------------------------------------------------------------------ */

static size_t build_id(const struct di_file *file, const uint8_t **ret)
{
	const void *id = NULL;
	ssize_t size = dwelf_elf_gnu_build_id(file->elf, &id);
	*ret = id;
	return size > 0 ? (size_t)size : 0;
}

static char *hex(const uint8_t *bytes, size_t size)
{
	char *text = xs_calloc(size * 2 + 1, 1);
	for (size_t i = 0; i < size; i++)
		snprintf(text + 2 * i, 3, "%02x", bytes[i]);
	return text;
}

static struct xs_error *verify_id(const struct search *search, const struct di_file *file)
{
	const uint8_t *id;
	size_t size = build_id(file, &id);
	if (!size)
		return xs_error_create("has no build-id");
	if (size == search->id_size && !memcmp(id, search->id, size))
		return NULL;
	XS_AUTO_FREE char *has = hex(id, size);
	XS_AUTO_FREE char *needed = hex(search->id, search->id_size);
	return xs_error_create("has build-id %s, not %s", has, needed);
}

/* Polynomial 0xedb88320, bits from the low end. */
uint32_t di_debugfile_crc(const uint8_t *bytes, size_t size)
{
	static uint32_t table[256];
	uint32_t crc = UINT32_MAX;
	if (!table[1])
		for (uint32_t i = 0; i < 256; i++) {
			uint32_t rest = i;
			for (int bit = 0; bit < 8; bit++)
				rest = rest & 1 ? rest >> 1 ^ 0xedb88320 : rest >> 1;
			table[i] = rest;
		}
	for (size_t i = 0; i < size; i++)
		crc = crc >> 8 ^ table[(crc ^ bytes[i]) & 0xff];
	return ~crc;
}

static struct xs_error *verify_crc(const struct search *search, const struct di_file *file)
{
	size_t size = 0;
	const char *bytes = elf_rawfile(file->elf, &size);
	if (!bytes || size < file->size)
		return xs_error_create("cannot be read: %s", elf_errmsg(-1));
	uint32_t crc = di_debugfile_crc((const uint8_t *)bytes, size);
	if (crc != search->crc)
		return xs_error_create(
			"has CRC %08" PRIx32 ", .gnu_debuglink says %08" PRIx32, crc, search->crc);
	return NULL;
}

/* A file that the user named is believed where there is nothing to check it by. */
static struct xs_error *verify_what_is_known(
	const struct search *search, const struct di_file *file)
{
	const uint8_t *id;
	if (search->id_size && build_id(file, &id))
		return verify_id(search, file);
	return search->name && !search->id_size ? verify_crc(search, file) : NULL;
}

/* --- candidates ------------------------------------------------------------------------------- */

static struct xs_error *check_content(const struct di_file *file)
{
	Elf_Scn *scn = NULL;
	GElf_Shdr section;
	GElf_Ehdr header;
	struct xs_error *err;
	if (!gelf_getehdr(file->elf, &header))
		return xs_error_create("cut short: %s", elf_errmsg(-1));
	if (header.e_machine != EM_X86_64 || header.e_ident[EI_CLASS] != ELFCLASS64)
		return xs_error_create("not for x86-64");
	if ((err = di_file_check_table(file)) || (err = di_file_check_sections(file)))
		return err;
	if (di_section_find(file->elf, ".debug_info", &section))
		return NULL;
	while ((scn = elf_nextscn(file->elf, scn)))
		if (gelf_getshdr(scn, &section) && section.sh_type == SHT_SYMTAB)
			return NULL;
	return xs_error_create("has neither debug information nor symbols");
}

/* Opens the file at path if it is the one. The proof comes first: of a file that is cut short and
 * has the wrong build-id, the second is what matters. */
static struct xs_error *open_candidate(
	const struct search *search, const char *path, verifier *verify, struct di_file **ret)
{
	XS_AUTO(di_file) file = NULL;
	struct xs_error *err;
	if ((err = di_file_open(path, "a debug file", &file)))
		return err;
	if ((err = verify(search, file)) || (err = check_content(file)) ||
		(err = di_file_uncompress(file)))
		return xs_error_context(err, "%s", path);
	*ret = xs_take(&file);
	return NULL;
}

/* Opens a file that may or may not be there. NULL: it is not the one, and if it is there, a warning
 * says why. */
static struct di_file *try_candidate(
	const struct search *search, const char *path, verifier *verify)
{
	struct stat own, other;
	struct di_file *file = NULL;
	if (stat(path, &other) || fstat(search->of->fd, &own) ||
		(own.st_dev == other.st_dev && own.st_ino == other.st_ino))
		return NULL;
	XS_AUTO(xs_error) err = open_candidate(search, path, verify, &file);
	if (err)
		xs_log(XS_LOG_DWARF, XS_LOG_WARN, "%s: debug file %s; it is not used",
			search->of->path, err->message);
	else
		xs_log(XS_LOG_DWARF, XS_LOG_INFO, "%s: debug file %s", search->of->path, path);
	return file;
}

static struct di_file *try_build_id(const struct search *search)
{
	if (search->id_size < 2)
		return NULL;
	XS_AUTO_FREE char *text = hex(search->id, search->id_size);
	XS_AUTO_FREE char *path =
		xs_asprintf("%s/.build-id/%.2s/%s.debug", search->root, text, text + 2);
	return try_candidate(search, path, verify_id);
}

static struct di_file *try_debuglink(const struct search *search)
{
	struct di_file *file = NULL;
	const char *const places[][2] = {{"", ""}, {"", "/.debug"}, {search->root, ""}};
	/* A debuglink is a file name: one with a slash would lead anywhere. */
	if (!search->name || !*search->name || strchr(search->name, '/'))
		return NULL;
	for (size_t i = 0; !file && i < sizeof places / sizeof *places; i++) {
		XS_AUTO_FREE char *path = xs_asprintf(
			"%s%s%s/%s", places[i][0], search->folder, places[i][1], search->name);
		file = try_candidate(search, path, verify_crc);
	}
	return file;
}

static struct di_file *try_debuginfod(const struct search *search)
{
	XS_AUTO_FREE char *path = NULL;
	if (search->id_size)
		path = di_debuginfod_fetch(search->of->path, search->id, search->id_size);
	return path ? try_candidate(search, path, verify_id) : NULL;
}

struct xs_error *di_debugfile_find(const struct di_file *program,
	const struct di_module_options *options, struct di_file **ret)
{
	struct search search = search_for(program, options);
	GElf_Word crc = 0;
	search.id_size = build_id(program, &search.id);
	search.name = dwelf_elf_gnu_debuglink(program->elf, &crc);
	search.crc = crc;
	*ret = NULL;
	if (options && options->debug_file) {
		XS_AUTO(xs_error)
		err = open_candidate(&search, options->debug_file, verify_what_is_known, ret);
		return err ? xs_error_create("debug file %s", err->message) : NULL;
	}
	if (!(*ret = try_build_id(&search)) && !(*ret = try_debuglink(&search)))
		*ret = try_debuginfod(&search);
	if (!*ret && search.name)
		xs_log(XS_LOG_DWARF, XS_LOG_INFO,
			"%s: its debug file %s is neither beside it nor under %s", program->path,
			search.name, search.root);
	return NULL;
}

/* --- supplementary files ---------------------------------------------------------------------- */

/* The checksum that DWARF 5 has in place of the build-id, with the name that goes with it. */
static size_t read_debug_sup(const struct di_file *file, const char **name, const uint8_t **id)
{
	struct di_cursor cursor;
	XS_AUTO(xs_error) err = di_section_read(file->elf, ".debug_sup", &cursor);
	if (err || !di_cursor_left(&cursor))
		return 0;
	di_cursor_u(&cursor, 2); /* version */
	di_cursor_u(&cursor, 1); /* whether this is the supplementary file itself */
	*name = di_cursor_string(&cursor);
	uint64_t size = di_cursor_uleb(&cursor);
	*id = di_cursor_bytes(&cursor, size);
	return cursor.failed ? 0 : (size_t)size;
}

static struct xs_error *verify_supplement(const struct search *search, const struct di_file *file)
{
	const uint8_t *id;
	const char *name;
	size_t size = read_debug_sup(file, &name, &id);
	if (size && size == search->id_size && !memcmp(id, search->id, size))
		return NULL;
	return verify_id(search, file);
}

static struct di_file *find_supplement(struct search *search)
{
	struct di_file *file = NULL;
	bool absolute = search->name[0] == '/';
	XS_AUTO_FREE char *path = xs_asprintf(
		"%s%s%s", absolute ? "" : search->folder, absolute ? "" : "/", search->name);
	if (!(file = try_candidate(search, path, verify_supplement)) &&
		!(file = try_build_id(search)) && !(file = try_debuginfod(search)))
		xs_log(XS_LOG_DWARF, XS_LOG_WARN,
			"%s: its supplementary file %s was not found; "
			"the types and names that dwz moved there are missing",
			search->of->path, path);
	return file;
}

/* A file with nothing in it. libdw, left without a supplementary file, looks for one by name and
 * takes it unchecked; given this one, it does not. */
static Elf *empty_file(void)
{
	static const char names[] = "\0.shstrtab\0.debug_info";
	enum { NAMES = sizeof names, SECTIONS = 3 };
	static struct image {
		Elf64_Ehdr header;
		Elf64_Shdr sections[SECTIONS];
		char names[NAMES];
	} image;
	memcpy(image.header.e_ident, ELFMAG, SELFMAG);
	image.header.e_ident[EI_CLASS] = ELFCLASS64;
	image.header.e_ident[EI_DATA] = ELFDATA2LSB;
	image.header.e_ident[EI_VERSION] = EV_CURRENT;
	image.header.e_type = ET_DYN;
	image.header.e_machine = EM_X86_64;
	image.header.e_version = EV_CURRENT;
	image.header.e_shoff = sizeof image.header;
	image.header.e_ehsize = sizeof image.header;
	image.header.e_shentsize = sizeof *image.sections;
	image.header.e_shnum = SECTIONS;
	image.header.e_shstrndx = 1;
	memcpy(image.names, names, sizeof names);
	image.sections[1] = (Elf64_Shdr){.sh_name = 1,
		.sh_type = SHT_STRTAB,
		.sh_offset = offsetof(struct image, names),
		.sh_size = sizeof names};
	/* One byte is too short for a unit, and enough for libdw to take it for DWARF. */
	image.sections[2] = (Elf64_Shdr){.sh_name = 11,
		.sh_type = SHT_PROGBITS,
		.sh_offset = offsetof(struct image, names),
		.sh_size = 1};
	return elf_memory((char *)&image, sizeof image);
}

void di_supplement_init(struct di_supplement *supplement, const struct di_file *file, Dwarf *dwarf,
	const struct di_module_options *options)
{
	struct search search = search_for(file, options);
	const void *id = NULL;
	ssize_t size = dwelf_dwarf_gnu_debugaltlink(dwarf, &search.name, &id);
	*supplement = (struct di_supplement){0};
	search.id = id;
	search.id_size = size > 0 ? (size_t)size : read_debug_sup(file, &search.name, &search.id);
	if (!search.id_size || !search.name || !*search.name)
		return;
	supplement->file = find_supplement(&search);
	if (supplement->file) {
		supplement->dwarf = dwarf_begin_elf(supplement->file->elf, DWARF_C_READ, NULL);
		if (!supplement->dwarf)
			di_file_destroy(xs_take(&supplement->file));
	}
	if (!supplement->dwarf)
		supplement->dwarf = dwarf_begin_elf(empty_file(), DWARF_C_READ, NULL);
	xs_assert(supplement->dwarf);
	dwarf_setalt(dwarf, supplement->dwarf);
}

void di_supplement_deinit(struct di_supplement *supplement)
{
	Elf *elf = supplement->dwarf ? dwarf_getelf(supplement->dwarf) : NULL;
	dwarf_end(supplement->dwarf);
	if (!supplement->file)
		elf_end(elf);
	di_file_destroy(supplement->file);
	*supplement = (struct di_supplement){0};
}
