#include "dwarf/core.h"

#include <fcntl.h>
#include <sys/procfs.h>
#include <sys/stat.h>

#include "base/log.h"
#include "base/search.h"
#include "dwarf/x86.h"

enum { HEADER_PAGE = 4096 };

/* --- memory ----------------------------------------------------------------------------------- */

static bool read_file(int fd, uint64_t offset, void *ret, size_t size)
{
	return fd >= 0 && offset <= INT64_MAX &&
	       pread(fd, ret, size, (off_t)offset) == (ssize_t)size;
}

/* The segment that holds addr, or NULL. */
static const struct di_core_segment *segment_at(const struct di_core *core, xs_addr addr)
{
	const struct di_core_segment *segments = core->segments.data;
	size_t i;
	xs_search(i, 0, core->segments.len, segments[i].lo <= addr);
	return i && addr < segments[i - 1].hi ? &segments[i - 1] : NULL;
}

/* As many of the size bytes at addr as lie together in the core. */
static size_t read_core(const struct di_core *core, xs_addr addr, void *ret, size_t size)
{
	const struct di_core_segment *segment = segment_at(core, addr);
	if (!segment || addr - segment->lo >= segment->present)
		return 0;
	uint64_t left = segment->present - (addr - segment->lo);
	size = left < size ? (size_t)left : size;
	return read_file(core->file->fd, segment->offset + (addr - segment->lo), ret, size) ? size
											    : 0;
}

/* Whether the file at fd is the one that was mapped (rule 2). The ELF header is left out: strip
 * changes it, and nothing else of the page. */
static bool is_the_same(const struct di_core *core, size_t file, int fd)
{
	uint8_t then[HEADER_PAGE], now[HEADER_PAGE];
	const struct di_loads *loads = &core->loads;
	size_t i = 0;
	while (i < loads->stretches.len &&
		(loads->stretches.data[i].file != file || loads->stretches.data[i].offset))
		i++;
	if (i == loads->stretches.len)
		return true; /* its first page was not mapped: nobody can tell */
	size_t size = read_core(core, loads->stretches.data[i].lo, then, sizeof then);
	ssize_t have = pread(fd, now, sizeof now, 0);
	/* A file shorter than a page reads as zeros to the end of it. */
	if (have >= 0 && (size_t)have < size)
		size = (size_t)have;
	return size <= sizeof(Elf64_Ehdr) ||
	       !memcmp(then + sizeof(Elf64_Ehdr), now + sizeof(Elf64_Ehdr),
		       size - sizeof(Elf64_Ehdr));
}

/* Whether any of a file was executable, as far as the core says. */
static bool has_code(const struct di_core *core, size_t file)
{
	for (size_t i = 0; i < core->loads.stretches.len; i++)
		if (core->loads.stretches.data[i].file == file &&
			core->loads.stretches.data[i].code)
			return true;
	return false;
}

/* A descriptor of the file, -1 if it cannot be had. */
static int fd_of(void *arg, size_t index)
{
	struct di_core *core = arg;
	struct di_core_file *file = &core->files.data[index];
	const char *path = core->loads.files.data[index].path;
	struct stat status;
	if (file->opened)
		return file->fd;
	file->opened = true;
	/* Not everything that can be mapped may be opened without a thought: no devices. */
	if (!stat(path, &status) && S_ISREG(status.st_mode))
		file->fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (file->fd < 0) {
		if (has_code(core, index))
			xs_log(XS_LOG_DWARF, XS_LOG_WARN, "%s: %s was mapped and cannot be opened",
				core->file->path, path);
	} else if (!is_the_same(core, index, file->fd)) {
		xs_log(XS_LOG_DWARF, XS_LOG_WARN,
			"%s: %s is not the file that was mapped; it is not used", core->file->path,
			path);
		close(file->fd);
		file->fd = -1;
	}
	return file->fd;
}

/* As many of the size bytes at addr as lie together in a file that was mapped there. */
static size_t read_mapped(struct di_core *core, xs_addr addr, void *ret, size_t size)
{
	for (size_t i = 0; i < core->loads.stretches.len; i++) {
		const struct di_stretch *stretch = &core->loads.stretches.data[i];
		if (addr < stretch->lo || addr >= stretch->hi)
			continue;
		uint64_t left = stretch->hi - addr;
		size = left < size ? (size_t)left : size;
		int fd = fd_of(core, stretch->file);
		return read_file(fd, stretch->offset + (addr - stretch->lo), ret, size) ? size : 0;
	}
	return 0;
}

static bool memory(void *arg, xs_addr addr, void *ret, size_t size)
{
	struct di_core *core = arg;
	uint8_t *to = ret;
	while (size) {
		const struct di_core_segment *segment = segment_at(core, addr);
		/* Up to the segment's end at most: behind it, the core may know better again. */
		size_t part =
			segment && segment->hi - addr < size ? (size_t)(segment->hi - addr) : size;
		size_t have = read_core(core, addr, to, part);
		if (!have)
			have = read_mapped(core, addr, to, part);
		if (!have)
			return false;
		addr += have;
		to += have;
		size -= have;
	}
	return true;
}

/* --- registers -------------------------------------------------------------------------------- */

static bool reg(void *arg, unsigned number, uint8_t bytes[DI_REG_BYTES], unsigned *size)
{
	const struct di_core *core = arg;
	return di_x86_reg(
		&core->regs, core->has_xstate ? &core->xstate : NULL, number, bytes, size);
}

/* --- modules ---------------------------------------------------------------------------------- */

/* Opens the module of a file, once; what cannot be opened is warned of. */
static struct di_module *module_of(struct di_core *core, size_t index)
{
	struct di_core_file *file = &core->files.data[index];
	struct di_module_options options = {.debug_root = core->options.debug_root};
	if (file->tried || fd_of(core, index) < 0)
		return file->module;
	file->tried = true;
	if (index == core->executable)
		options = core->options;
	XS_AUTO(xs_error)
	err = di_module_open_with(core->loads.files.data[index].path, &options, &file->module);
	if (err)
		xs_log(XS_LOG_DWARF, XS_LOG_WARN, "%s; nothing is known about its code",
			err->message);
	else
		file->module->program = index == core->executable;
	return file->module;
}

/* The mapping of a load, to be handed out. */
static const struct di_mapping *mapping_of(
	struct di_core *core, struct di_module *module, uint64_t bias)
{
	for (size_t i = 0; i < core->mappings.len; i++)
		if (core->mappings.data[i]->module == module &&
			core->mappings.data[i]->bias == bias)
			return core->mappings.data[i];
	struct di_mapping *mapping = xs_calloc(1, sizeof *mapping);
	*mapping = (struct di_mapping){module, bias};
	xs_vec_push(&core->mappings, mapping);
	return mapping;
}

static const struct di_mapping *find(void *arg, xs_addr addr)
{
	struct di_core *core = arg;
	const struct di_load *load = di_loads_at(&core->loads, addr);
	struct di_module *module = load ? module_of(core, load->file) : NULL;
	return module && di_module_holds(module, addr - load->bias)
		       ? mapping_of(core, module, load->bias)
		       : NULL;
}

/* --- reading the file ------------------------------------------------------------------------- */

static int by_lo(const void *a, const void *b)
{
	const struct di_core_segment *x = a, *y = b;
	return (x->lo > y->lo) - (x->lo < y->lo);
}

/* NT_FILE: what was mapped from files, page by page. Goes by address, as the kernel and gdb do. */
static struct xs_error *read_mapped_files(struct di_core *core, struct di_cursor cursor)
{
	uint64_t count = di_cursor_u(&cursor, 8), page = di_cursor_u(&cursor, 8);
	struct di_cursor names = cursor;
	if (!di_cursor_bytes(&names, count <= UINT64_MAX / 24 ? count * 24 : UINT64_MAX))
		return di_cursor_error(&names);
	for (uint64_t i = 0; i < count; i++) {
		struct di_stretch stretch = {.lo = di_cursor_u(&cursor, 8),
			.hi = di_cursor_u(&cursor, 8),
			.offset = di_cursor_u(&cursor, 8) * page};
		const char *path = di_cursor_string(&names);
		if (names.failed)
			return di_cursor_error(&names);
		if (stretch.lo >= stretch.hi)
			continue;
		const struct di_core_segment *segment = segment_at(core, stretch.lo);
		/* gdb leaves code out of its cores altogether, the kernel only its bytes. */
		stretch.code = !segment || segment->code;
		di_loads_add(&core->loads, path, stretch);
		while (core->files.len < core->loads.files.len)
			xs_vec_push(&core->files, ((struct di_core_file){.fd = -1}));
	}
	return NULL;
}

static void read_auxv(struct di_core *core, struct di_cursor cursor)
{
	while (di_cursor_left(&cursor) >= 16) {
		uint64_t type = di_cursor_u(&cursor, 8), value = di_cursor_u(&cursor, 8);
		if (type == AT_ENTRY)
			core->entry = value;
	}
}

static struct xs_error *read_note(
	struct di_core *core, const GElf_Nhdr *note, const char *name, struct di_cursor cursor)
{
	struct xs_xsave_layout layout = xs_xsave_layout_of_size(di_cursor_left(&cursor));
	size_t size = di_cursor_left(&cursor);
	switch (note->n_type) {
	case NT_PRSTATUS: {
		struct elf_prstatus status;
		const uint8_t *bytes = di_cursor_bytes(&cursor, sizeof status);
		if (core->threads++)
			return NULL;
		if (!bytes)
			return di_cursor_error(&cursor);
		memcpy(&status, bytes, sizeof status);
		memcpy(&core->regs, &status.pr_reg, sizeof core->regs);
		core->signal = status.pr_cursig;
		return NULL;
	}
	case NT_FPREGSET:
		if (core->threads > 1 || core->has_xstate || strcmp(name, "CORE"))
			return NULL;
		core->has_xstate = xs_xstate_decode(&core->xstate, cursor.at,
			size < sizeof(struct user_fpregs_struct)
				? size
				: sizeof(struct user_fpregs_struct),
			&layout);
		return NULL;
	case NT_X86_XSTATE:
		if (core->threads > 1 || strcmp(name, "LINUX"))
			return NULL;
		core->has_xstate = xs_xstate_decode(&core->xstate, cursor.at, size, &layout);
		return NULL;
	case NT_AUXV:
		read_auxv(core, cursor);
		return NULL;
	case NT_FILE:
		return core->files.len ? NULL : read_mapped_files(core, cursor);
	default:
		return NULL;
	}
}

static struct xs_error *read_notes(struct di_core *core, const GElf_Phdr *header)
{
	uint64_t end = header->p_offset + header->p_filesz;
	size_t at = 0, next, name, content;
	GElf_Nhdr note;
	if (end < header->p_offset || end > core->file->size)
		return xs_error_create("cut short: the notes end at byte %" PRIu64
				       ", the file at %" PRIu64,
			end, core->file->size);
	Elf_Data *data = elf_getdata_rawchunk(core->file->elf, (int64_t)header->p_offset,
		header->p_filesz, header->p_align == 8 ? ELF_T_NHDR8 : ELF_T_NHDR);
	if (!data)
		return xs_error_create("the notes cannot be read: %s", elf_errmsg(-1));
	while ((next = gelf_getnote(data, at, &note, &name, &content))) {
		const char *bytes = data->d_buf;
		struct xs_error *err = read_note(core, &note, note.n_namesz ? bytes + name : "",
			di_cursor_over("note", bytes + content, note.n_descsz));
		if (err)
			return xs_error_context(
				err, "note %u at byte %zu", note.n_type, header->p_offset + at);
		at = next;
	}
	if (at < header->p_filesz)
		return xs_error_create(
			"the note at byte %zu cannot be read", header->p_offset + at);
	return NULL;
}

static struct xs_error *read_segments(struct di_core *core)
{
	size_t count = 0;
	GElf_Phdr header;
	struct xs_error *err;
	if ((err = di_file_check_segments(core->file)))
		return err;
	if (elf_getphdrnum(core->file->elf, &count))
		return xs_error_create("no program headers: %s", elf_errmsg(-1));
	for (size_t i = 0; i < count; i++)
		if (gelf_getphdr(core->file->elf, (int)i, &header) && header.p_type == PT_LOAD &&
			header.p_vaddr + header.p_memsz > header.p_vaddr)
			xs_vec_push(
				&core->segments, ((struct di_core_segment){.lo = header.p_vaddr,
							 .hi = header.p_vaddr + header.p_memsz,
							 .offset = header.p_offset,
							 .present = header.p_filesz < header.p_memsz
									    ? header.p_filesz
									    : header.p_memsz,
							 .code = header.p_flags & PF_X}));
	if (core->segments.len)
		qsort(core->segments.data, core->segments.len, sizeof *core->segments.data, by_lo);
	for (size_t i = 0; i < count; i++)
		if (gelf_getphdr(core->file->elf, (int)i, &header) && header.p_type == PT_NOTE &&
			(err = read_notes(core, &header)))
			return err;
	if (!core->segments.len)
		return xs_error_create("has no memory in it");
	if (!core->threads)
		return xs_error_create("has no registers in it (no NT_PRSTATUS note)");
	return NULL;
}

/* Finds out which of the files is the executable, and takes the one that the user named. */
static struct xs_error *find_executable(struct di_core *core, const char *program)
{
	const struct di_loads *loads = &core->loads;
	for (size_t i = 0; core->entry && i < loads->stretches.len; i++)
		if (core->entry >= loads->stretches.data[i].lo &&
			core->entry < loads->stretches.data[i].hi)
			core->executable = loads->stretches.data[i].file;
	if (!program)
		return NULL;
	if (core->executable == SIZE_MAX)
		return xs_error_create("does not say where the program was loaded "
				       "(no NT_FILE or NT_AUXV note)");
	struct di_core_file *file = &core->files.data[core->executable];
	XS_AUTO_FREE char *then = loads->files.data[core->executable].path;
	loads->files.data[core->executable].path = xs_strdup(program);
	file->tried = file->opened = true;
	struct xs_error *err = di_module_open_with(program, &core->options, &file->module);
	if (err)
		return err;
	file->module->program = true;
	file->fd = fcntl(file->module->file->fd, F_DUPFD_CLOEXEC, 0);
	if (file->fd < 0)
		return xs_error_sys("%s", program);
	const struct di_load *load = di_loads_at(&core->loads, core->entry);
	if (!is_the_same(core, core->executable, file->fd) || !load ||
		file->module->entry + load->bias != core->entry)
		return xs_error_create("is not of %s but of %s", program, then);
	return NULL;
}

static struct xs_error *check_header(const struct di_file *file)
{
	GElf_Ehdr header;
	if (!gelf_getehdr(file->elf, &header))
		return xs_error_create("cut short: %s", elf_errmsg(-1));
	if (header.e_type != ET_CORE)
		return xs_error_create("not a core file");
	if (header.e_machine != EM_X86_64 || header.e_ident[EI_CLASS] != ELFCLASS64)
		return xs_error_create("not a core file of an x86-64 program");
	return NULL;
}

struct xs_error *di_core_open(const char *path, const char *program,
	const struct di_module_options *options, struct di_core **ret)
{
	XS_AUTO(di_core) core = xs_calloc(1, sizeof *core);
	struct xs_error *err;
	core->executable = SIZE_MAX;
	core->loads.open = fd_of;
	core->loads.arg = core;
	core->target = (struct di_target){.arg = core, .reg = reg, .memory = memory, .find = find};
	if (options && options->debug_file)
		core->options.debug_file = core->debug_file = xs_strdup(options->debug_file);
	if (options && options->debug_root)
		core->options.debug_root = core->debug_root = xs_strdup(options->debug_root);
	if ((err = di_file_open(path, "a core file", &core->file)))
		return err;
	if ((err = check_header(core->file)) || (err = read_segments(core)) ||
		(err = find_executable(core, program)))
		return xs_error_context(err, "%s", path);
	*ret = xs_take(&core);
	return NULL;
}

void di_core_destroy(struct di_core *core)
{
	if (!core)
		return;
	for (size_t i = 0; i < core->files.len; i++) {
		di_module_destroy(core->files.data[i].module);
		if (core->files.data[i].fd >= 0)
			close(core->files.data[i].fd);
	}
	for (size_t i = 0; i < core->mappings.len; i++)
		free(core->mappings.data[i]);
	xs_vec_deinit(&core->files);
	xs_vec_deinit(&core->mappings);
	di_loads_deinit(&core->loads);
	xs_vec_deinit(&core->segments);
	di_file_destroy(core->file);
	free(core->debug_file);
	free(core->debug_root);
	free(core);
}
