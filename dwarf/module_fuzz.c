/* module_fuzz.c - any bytes as a program: opening it and asking all that a debugger asks must end,
 * in bounds, in one of the outcomes that the headers name.
 *
 * The input is the file; or "SPLIT", the size of a program in 3 bytes, the program, and a file with
 * its split debug information: a package or a .dwo. What opens is looked at from a number of its
 * pcs, on a machine made up for it: memory is what the file would be loaded as and a small stack,
 * registers point into both.
 * Mutations mostly stay inside the sections that carry debug information: elsewhere they would only
 * show that libelf refuses garbage.
 *
 * Built by the preset fuzz; run as `build/fuzz/dwarf/module_fuzz -max_total_time=300 WORKDIR
 * testdata/fuzz/module`. */
#include <gelf.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/log.h"
#include "dwarf/arrival.h"
#include "dwarf/cfi.h"
#include "dwarf/explain.h"
#include "dwarf/second.h"
#include "dwarf/symbol.h"

enum {
	PCS = 8,          /* looked at in one file */
	FRAMES = 3,       /* of each stack */
	VARIABLES = 12,   /* explained in each frame */
	LEAVES = 20,      /* of each variable */
	WINDOW = 24,      /* bytes that one mutation may change */
	STACK_SIZE = 512, /* bytes */
};

#define BIAS  UINT64_C(0x10000000)
#define STACK UINT64_C(0x7ffe00000000)

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed);

/* --- the machine ------------------------------------------------------------------------------ */

struct machine {
	struct di_mapping mapping;
	const uint8_t *file; /* the program's bytes */
	size_t size;         /* how many */
	xs_addr pc;          /* link-time */
	uint8_t stack[STACK_SIZE];
};

static bool machine_reg(void *arg, unsigned reg, uint8_t bytes[DI_REG_BYTES], unsigned *size)
{
	const struct machine *machine = arg;
	uint64_t value = reg * UINT64_C(0x1001) + 1;
	if (reg > DI_REG_MXCSR)
		return false;
	if (reg == DI_REG_RSP)
		value = STACK + 64;
	else if (reg == DI_REG_RBP)
		value = STACK + 128;
	else if (reg == DI_REG_RIP)
		value = machine->pc + BIAS;
	else if (reg < DI_REG_RBP)
		value = STACK + 16 * reg;
	memset(bytes, 0x3f, DI_REG_BYTES);
	memcpy(bytes, &value, sizeof value);
	bool vector = reg >= DI_REG_XMM0 && reg < DI_REG_ST0;
	*size = vector ? 32 : reg >= DI_REG_ST0 && reg < DI_REG_ST0 + 8 ? 10 : 8;
	return true;
}

/* Copies what of [addr, addr + size) is in [lo, lo + length), whose bytes are `from` as far as
 * they go and 0 behind; false if it is not all in there. */
static bool copy_from(xs_addr lo, uint64_t length, const uint8_t *from, size_t from_size,
	xs_addr addr, void *ret, size_t size)
{
	if (addr < lo || addr - lo > length || size > length - (addr - lo))
		return false;
	size_t skip = (size_t)(addr - lo);
	size_t have = skip < from_size ? from_size - skip : 0;
	memset(ret, 0, size);
	if (have)
		memcpy(ret, from + skip, have < size ? have : size);
	return true;
}

static bool machine_memory(void *arg, xs_addr addr, void *ret, size_t size)
{
	const struct machine *machine = arg;
	Elf *elf = machine->mapping.module->elf;
	size_t segments = 0;
	GElf_Phdr segment;
	if (copy_from(STACK, STACK_SIZE, machine->stack, STACK_SIZE, addr, ret, size))
		return true;
	if (elf_getphdrnum(elf, &segments))
		return false;
	for (size_t i = 0; i < segments; i++)
		if (gelf_getphdr(elf, (int)i, &segment) && segment.p_type == PT_LOAD &&
			segment.p_offset <= machine->size &&
			segment.p_filesz <= machine->size - segment.p_offset &&
			copy_from(segment.p_vaddr + BIAS, segment.p_memsz,
				machine->file + segment.p_offset, segment.p_filesz, addr, ret,
				size))
			return true;
	return false;
}

static const struct di_mapping *machine_find(void *arg, xs_addr addr)
{
	const struct machine *machine = arg;
	return di_module_holds(machine->mapping.module, addr - BIAS) ? &machine->mapping : NULL;
}

/* Every word of the stack looks like a return address or like a pointer to the stack. */
static void fill_stack(struct machine *machine, xs_addr back_to)
{
	for (size_t i = 0; i < STACK_SIZE / 8; i++) {
		uint64_t word = i % 3 ? back_to + BIAS + i % 7 : STACK + 8 * i + 32;
		memcpy(machine->stack + 8 * i, &word, sizeof word);
	}
}

/* --- looking around --------------------------------------------------------------------------- */

static void check_fact(void *arg, const struct di_fact *fact)
{
	size_t *facts = arg;
	const struct di_leaf *leaf = fact->leaf;
	++*facts;
	xs_assert(fact->variable->name && fact->variable->scope && leaf->path[0]);
	xs_assert(!leaf->type || leaf->type->name);
	xs_assert((leaf->state == DI_LEAF_VALUE) == (leaf->text[0] != 0));
	xs_assert(leaf->state != DI_LEAF_ERROR || leaf->answer->why.code != DI_WHY_NONE);
}

static void explain_path(struct di_view *view, unsigned frame, const char *path)
{
	struct di_explanation explanation = {0};
	xs_error_destroy(di_explain_path(view, frame, path, LEAVES, &explanation));
	di_explanation_deinit(&explanation);
}

/* Asks for one variable and, by turns, for something behind or in it: all of them would be slow. */
static void look_at_variable(
	struct di_view *view, unsigned frame, const struct di_visible *visible, size_t turn)
{
	static const char *const paths[] = {"*%s", "&%s", "%s[1]", "*%s[0]", "%s->%s", "%s.%s"};
	struct di_explanation explanation = {0};
	XS_AUTO(xs_error)
	err = di_explain_variable(view, frame, visible, LEAVES, &explanation);
	/* In the call around a nested function it is that function's own. */
	xs_assert(err || explanation.absent || explanation.variable == visible->variable ||
		  (explanation.found_around &&
			  !strcmp(explanation.variable->name, visible->variable->name)));
	di_explanation_deinit(&explanation);
	const struct di_type *type = visible->variable->type;
	if (type->kind == DI_TYPE_POINTER && di_type_target(type))
		type = di_type_target(type);
	const char *member =
		type->members.len && type->members.data[0].name ? type->members.data[0].name : "m";
	const char *name = visible->variable->name;
	char path[200];
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
#pragma GCC diagnostic ignored "-Wformat-extra-args"
	snprintf(path, sizeof path, paths[turn % (sizeof paths / sizeof *paths)], name, member);
#pragma GCC diagnostic pop
	explain_path(view, frame, path);
}

static void look_at_frame(struct di_view *view, unsigned frame)
{
	const struct di_view_frame at = view->frames.data[frame];
	char text[2000];
	size_t facts = 0, told = 0;
	xs_error_destroy(di_view_variables(
		view, frame, DI_WHICH_LOCALS | DI_WHICH_GLOBALS, LEAVES, check_fact, &facts));
	di_frame_explain(view->target, &view->stack.frames.data[at.physical], text, sizeof text);
	struct di_visible visible;
	for (size_t i = 0;
		at.scopes && told < VARIABLES && di_scopes_next(at.scopes, at.index, &i, &visible);
		told++)
		look_at_variable(view, frame, &visible, i + frame);
	explain_path(view, frame, "nobody");
}

static void look_from(struct machine *machine, struct di_second *second, xs_addr pc)
{
	struct di_module *module = machine->mapping.module;
	struct di_target target = {
		.arg = machine, .reg = machine_reg, .memory = machine_memory, .find = machine_find};
	struct di_view view = {0};
	struct di_opinion opinion = {0};
	struct di_arrivals arrivals = {0};
	uint64_t offset;
	size_t frame;
	char text[200];
	machine->pc = pc;
	const struct di_row *row = di_lines_find(&module->lines, pc);
	if (row) {
		di_arrivals_find(module, di_lines_file(&module->lines, row), row->line, &arrivals);
		di_arrivals_deinit(&arrivals);
	}
	const char *symbol = di_symbol_at(module, pc, &offset);
	xs_assert(!symbol || symbol[0]);
	XS_AUTO(xs_error) err = di_view_open(&view, &target, true);
	xs_assert(!err && view.frames.len);
	for (unsigned i = 0; i < view.frames.len && i < FRAMES; i++)
		look_at_frame(&view, i);
	di_second_walk(second, &target, &opinion);
	di_opinion_agrees(&opinion, &view.stack, &frame, text, sizeof text);
	di_opinion_deinit(&opinion);
	di_view_deinit(&view);
}

/* Looks from pcs all over the code, and from where functions begin. */
static void look_around(struct machine *machine, struct di_second *second)
{
	const struct di_module *module = machine->mapping.module;
	const struct di_function_list *functions = di_functions_all(module->functions);
	uint64_t total = 0;
	for (size_t i = 0; i < module->interest.vec.len; i++)
		total += module->interest.vec.data[i].hi - module->interest.vec.data[i].lo;
	uint64_t step = total / PCS + 1, at = 0;
	fill_stack(machine, module->entry + 5);
	for (size_t i = 0; i < functions->vec.len && i < PCS / 2; i++) {
		look_from(machine, second, functions->vec.data[i]->entry);
		fill_stack(machine, functions->vec.data[i]->entry + 9);
	}
	for (size_t i = 0, looked = 0; i < module->interest.vec.len && looked < PCS; i++) {
		const struct xs_range *range = &module->interest.vec.data[i];
		uint64_t length = range->hi - range->lo;
		for (; at < length && looked < PCS; at += step, looked++)
			look_from(machine, second, range->lo + at);
		at -= at < length ? at : length;
	}
}

/* --- files ------------------------------------------------------------------------------------ */

enum { HEADER = 8 }; /* of an input with two files */

/* Whether the input is two files; the first has *ret bytes behind the header. */
static bool has_two(const uint8_t *data, size_t size, size_t *ret)
{
	if (size < HEADER || memcmp(data, "SPLIT", 5) != 0)
		return false;
	*ret = data[5] | (size_t)data[6] << 8 | (size_t)data[7] << 16;
	return *ret <= size - HEADER;
}

static void write_file(const char *path, const uint8_t *data, size_t size)
{
	FILE *file = fopen(path, "w");
	xs_assert(file && fwrite(data, 1, size, file) == size && !fclose(file));
}

static char folder[] = "/tmp/xstep-fuzz-XXXXXX";

static void remove_folder(void)
{
	static const char *const names[] = {"program", "program.dwp", "unit.dwo"};
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		XS_AUTO_FREE char *path = xs_asprintf("%s/%s", folder, names[i]);
		unlink(path);
	}
	rmdir(folder);
}

/* Writes both files, the second by all names that it may be looked for. */
static void write_two(const uint8_t *data, size_t first, size_t size, char path[static 64])
{
	static bool made;
	char other[64];
	if (!made) {
		xs_assert(mkdtemp(folder) && !atexit(remove_folder));
		made = true;
	}
	snprintf(path, 64, "%s/program", folder);
	write_file(path, data + HEADER, first);
	snprintf(other, sizeof other, "%s/program.dwp", folder);
	write_file(other, data + HEADER + first, size - HEADER - first);
	snprintf(other, sizeof other, "%s/unit.dwo", folder);
	write_file(other, data + HEADER + first, size - HEADER - first);
}

/* --- the fuzzer ------------------------------------------------------------------------------- */

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	const char *bad;
	(void)argc;
	(void)argv;
	xs_assert(xs_log_setup("all:error", &bad)); /* warnings of nonsense are no news here */
	unsetenv("DEBUGINFOD_URLS");
	return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static int fd = -1;
	static struct di_second *second;
	char path[64];
	size_t first;
	if (fd < 0) {
		fd = memfd_create("program", MFD_CLOEXEC);
		XS_AUTO(xs_error) err = di_second_create(&second);
		xs_assert(fd >= 0 && !err);
	}
	if (has_two(data, size, &first)) {
		write_two(data, first, size, path);
		data += HEADER; /* the program */
		size = first;
	} else {
		snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
		xs_assert(!ftruncate(fd, 0) && pwrite(fd, data, size, 0) == (ssize_t)size);
	}
	XS_AUTO(di_module) module = NULL;
	XS_AUTO(xs_error) err = di_module_open(path, &module);
	xs_assert(!err == (module != NULL));
	if (!module)
		return 0;
	struct machine machine = {.mapping = {module, BIAS}, .file = data, .size = size};
	look_around(&machine, second);
	return 0;
}

/* Whether a section is worth changing. */
static bool is_rich(const uint8_t *data, size_t size, const Elf64_Shdr *header, uint64_t names)
{
	static const char *const wanted[] = {".debug_", ".eh_frame", ".symtab", ".strtab"};
	uint64_t at = names + header->sh_name;
	if (header->sh_type == SHT_NOBITS || !header->sh_size || header->sh_offset >= size ||
		header->sh_size > size - header->sh_offset || at >= size || size - at < 10)
		return false;
	for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++)
		if (!strncmp((const char *)data + at, wanted[i], strlen(wanted[i])))
			return i < 2 || header->sh_info % 4 == 0; /* symbols: not so often */
	return false;
}

/* The place of one of the rich sections; false if there is none. */
static bool pick_section(
	const uint8_t *data, size_t size, uint64_t choice, uint64_t *offset, uint64_t *length)
{
	Elf64_Ehdr ehdr;
	Elf64_Shdr shdr, strings;
	size_t found = 0;
	if (size < sizeof ehdr)
		return false;
	memcpy(&ehdr, data, sizeof ehdr);
	if (ehdr.e_shoff > size || ehdr.e_shentsize != sizeof shdr || !ehdr.e_shnum ||
		ehdr.e_shnum > (size - ehdr.e_shoff) / sizeof shdr ||
		ehdr.e_shstrndx >= ehdr.e_shnum)
		return false;
	memcpy(&strings, data + ehdr.e_shoff + ehdr.e_shstrndx * sizeof shdr, sizeof strings);
	for (int round = 0; round < 2; round++) {
		uint64_t wanted = found ? choice % found : 0;
		if (round && !found)
			return false;
		found = 0;
		for (size_t i = 0; i < ehdr.e_shnum; i++) {
			memcpy(&shdr, data + ehdr.e_shoff + i * sizeof shdr, sizeof shdr);
			if (strings.sh_offset > size ||
				!is_rich(data, size, &shdr, strings.sh_offset))
				continue;
			if (round && found == wanted) {
				*offset = shdr.sh_offset;
				*length = shdr.sh_size;
				return true;
			}
			found++;
		}
	}
	return false;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed)
{
	uint64_t random = xs_mix(seed), offset = 0, length = 0;
	uint8_t window[WINDOW];
	size_t whole = size, first;
	(void)max_size;
	if (has_two(data, size, &first)) {
		/* One of the two: more often that with the debug information. */
		bool program = random % 4 == 1;
		data += HEADER + (program ? 0 : first);
		size = program ? first : size - HEADER - first;
	}
	if (random % 16 == 0 || !pick_section(data, size, random >> 8, &offset, &length)) {
		offset = 0;
		length = size;
	}
	/* Sizes stay: a file whose sections moved is just one that does not open. */
	random = xs_mix(random);
	if (!length)
		return whole;
	size_t count = length < WINDOW ? (size_t)length : 1 + random % WINDOW;
	uint8_t *at = data + offset + (length > count ? xs_mix(random) % (length - count) : 0);
	memcpy(window, at, count);
	LLVMFuzzerMutate(window, count, count);
	memcpy(at, window, count);
	return whole;
}
