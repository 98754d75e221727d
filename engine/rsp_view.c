#include "engine/rsp_view.h"

#include <fcntl.h>

#include "engine/loader.h"
#include "engine/rsp_registers.h"

enum { LIBRARIES_MOST = 4096, NAME_MOST = 4096 };

void eng_rsp_view_deinit(struct eng_rsp_view *view)
{
	xs_vec_deinit(&view->regions);
	xs_vec_deinit(&view->names);
}

/* --- memory ---------------------------------------------------------------------------------- */

size_t eng_rsp_view_read(struct eng_rsp_view *view, xs_addr addr, void *buffer, size_t size)
{
	struct eng_process *process = view->process;
	size_t have = 0;
	bool trapped = process->traps && view->code && addr + size >= addr &&
		       xs_ranges_meet(view->code, addr, addr + size);
	XS_AUTO(xs_error)
	err = trapped ? eng_traps_read(process->traps, &process->tracee, addr, buffer, size, &have)
		      : eng_tracee_read_some(&process->tracee, addr, buffer, size, &have);
	return err ? 0 : have;
}

static void read_map(struct eng_rsp_view *view)
{
	char path[64];
	XS_AUTO_FREE char *line = NULL;
	size_t size = 0;
	if (view->epoch == view->process->tracee.epoch)
		return;
	view->epoch = view->process->tracee.epoch;
	view->regions.len = view->names.len = 0;
	snprintf(path, sizeof path, "/proc/%d/maps", view->process->tracee.pid);
	XS_AUTO_FILE FILE *maps = fopen(path, "re");
	while (maps && getline(&line, &size, maps) > 0) {
		struct eng_rsp_region region = {.name = view->names.len};
		int at = 0;
		line[strcspn(line, "\n")] = 0;
		if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %4s %*s %*s %*s %n", &region.lo,
			    &region.hi, region.rights, &at) < 3)
			continue;
		for (const char *name = at ? line + at : ""; *name; name++)
			xs_vec_push(&view->names, *name);
		xs_vec_push(&view->names, 0);
		xs_vec_push(&view->regions, region);
	}
}

struct eng_rsp_region eng_rsp_view_region(struct eng_rsp_view *view, xs_addr addr)
{
	read_map(view);
	struct eng_rsp_region hole = {.lo = 0, .hi = XS_ADDR_NONE, .name = SIZE_MAX};
	for (size_t i = 0; i < view->regions.len; i++) {
		const struct eng_rsp_region *region = &view->regions.data[i];
		if (addr >= region->lo && addr < region->hi)
			return *region;
		if (addr < region->lo) {
			hole.hi = region->lo;
			break;
		}
		hole.lo = region->hi;
	}
	return hole;
}

/* --- documents ------------------------------------------------------------------------------- */

static void put_auxv(struct eng_rsp_view *view, struct eng_rsp_bytes *to)
{
	char path[64];
	uint8_t buffer[4096];
	ssize_t got;
	snprintf(path, sizeof path, "/proc/%d/auxv", view->process->tracee.pid);
	XS_AUTO_CLOSE int fd = open(path, O_RDONLY | O_CLOEXEC);
	while (fd >= 0 && (got = read(fd, buffer, sizeof buffer)) > 0)
		eng_rsp_put(to, buffer, (size_t)got);
}

static bool read_word(struct eng_rsp_view *view, xs_addr addr, uint64_t *ret)
{
	return eng_rsp_view_read(view, addr, ret, sizeof *ret) == sizeof *ret;
}

/* Where the dynamic loader says what is loaded (struct r_debug), 0 if it does not. */
static xs_addr find_debug(struct eng_rsp_view *view)
{
	Elf64_Phdr header;
	uint64_t bias;
	bool dynamic = eng_loader_header(view->process, PT_DYNAMIC, &header, &bias);
	for (int i = 0; dynamic && i < 4096; i++) {
		Elf64_Dyn entry;
		if (eng_rsp_view_read(view, bias + header.p_vaddr + (xs_addr)i * sizeof entry,
			    &entry, sizeof entry) != sizeof entry ||
			entry.d_tag == DT_NULL)
			return 0;
		if (entry.d_tag == DT_DEBUG)
			return entry.d_un.d_ptr;
	}
	return 0;
}

/* A name in the program's memory, as text of XML. */
static void put_name(struct eng_rsp_view *view, xs_addr addr, struct eng_rsp_bytes *to)
{
	char byte;
	for (int i = 0; i < NAME_MOST; i++) {
		if (eng_rsp_view_read(view, addr + (xs_addr)i, &byte, 1) != 1 || !byte)
			return;
		if (strchr("<>&\"'", byte))
			eng_rsp_print(to, "&#%d;", byte);
		else
			eng_rsp_put(to, &byte, 1);
	}
}

static void put_libraries(struct eng_rsp_view *view, bool for_lldb, struct eng_rsp_bytes *to)
{
	/* struct link_map begins with l_addr, l_name, l_ld, l_next. */
	uint64_t map = 0, base, name, dynamic, next, vdso = 0;
	xs_addr debug = find_debug(view);
	XS_AUTO(xs_error) err = eng_process_auxv(view->process, AT_SYSINFO_EHDR, &vdso);
	if (err || !debug || !read_word(view, debug + 8, &map) || !map) {
		eng_rsp_put_text(to, "<library-list-svr4 version=\"1.0\"/>");
		return;
	}
	eng_rsp_put_text(to, "<library-list-svr4 version=\"1.0\"");
	if (!for_lldb)
		eng_rsp_print(to, " main-lm=\"0x%" PRIx64 "\"", map);
	eng_rsp_put_text(to, ">");
	for (int i = 0; map && i < LIBRARIES_MOST; i++, map = next) {
		if (!read_word(view, map, &base) || !read_word(view, map + 8, &name) ||
			!read_word(view, map + 16, &dynamic) || !read_word(view, map + 24, &next))
			break;
		/* Not the program itself, and not what the kernel brings along, which is no file.
		 */
		if (!i || (base == vdso && vdso && !for_lldb))
			continue;
		eng_rsp_put_text(to, "<library name=\"");
		put_name(view, name, to);
		eng_rsp_print(to,
			"\" lm=\"0x%" PRIx64 "\" l_addr=\"0x%" PRIx64 "\" l_ld=\"0x%" PRIx64
			"\" lmid=\"0x0\"/>",
			map, base, dynamic);
	}
	eng_rsp_put_text(to, "</library-list-svr4>");
}

static void put_threads(struct eng_rsp_view *view, struct eng_rsp_bytes *to)
{
	char path[64], name[64] = "";
	snprintf(path, sizeof path, "/proc/%d/comm", view->process->tracee.pid);
	XS_AUTO_FILE FILE *comm = fopen(path, "re");
	if (comm && !fgets(name, sizeof name, comm))
		*name = 0;
	name[strcspn(name, "\n<>&\"'")] = 0;
	eng_rsp_print(to,
		"<?xml version=\"1.0\"?><threads><thread id=\"%x\" name=\"%s\"/></threads>",
		(unsigned)view->process->tracee.pid, name);
}

bool eng_rsp_view_tls(struct eng_rsp_view *view, uint64_t offset, uint64_t map, xs_addr *ret)
{
	Elf64_Phdr header;
	struct user_regs_struct *regs;
	uint64_t bias;
	uint64_t first = 0;
	xs_addr debug = find_debug(view);
	/* The program's own block ends where the thread pointer points to. Without a loader the
	 * program is all there is. */
	if (debug && (!read_word(view, debug + 8, &first) || map != first))
		return false;
	if (!eng_loader_header(view->process, PT_TLS, &header, &bias))
		return false;
	XS_AUTO(xs_error) err = eng_tracee_regs(&view->process->tracee, &regs);
	if (err)
		return false;
	uint64_t align = header.p_align ? header.p_align : 1;
	/* The block keeps its place in a page of its alignment, as the C library has it. */
	uint64_t in = -(header.p_vaddr & (align - 1)) & (align - 1);
	uint64_t size = (header.p_memsz - in + align - 1) / align * align + in;
	*ret = regs->fs_base - size + offset;
	return true;
}

bool eng_rsp_view_document(
	struct eng_rsp_view *view, const char *object, bool for_lldb, struct eng_rsp_bytes *to)
{
	if (!strcmp(object, "features"))
		eng_rsp_put_text(to, eng_rsp_registers_xml());
	else if (!strcmp(object, "auxv"))
		put_auxv(view, to);
	else if (!strcmp(object, "libraries-svr4"))
		put_libraries(view, for_lldb, to);
	else if (!strcmp(object, "exec-file"))
		eng_rsp_put_text(to, view->path);
	else if (!strcmp(object, "threads"))
		put_threads(view, to);
	else
		return false;
	return true;
}
