/* core_test.c - core files, against what the program put there and what gdb says about them. */
#include "dwarf/core.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "testdata/tool/registers.h"

enum { SKIPPED = 77 };

static char folder[] = "/tmp/xstep-core-XXXXXX"; /* where everything is kept while we run */

static char *in_folder(const char *name)
{
	return xs_asprintf("%s/%s", folder, name);
}

/* Runs gdb in batch mode on `words`, its output in the folder's file `log`; the file's text. */
static char *run_gdb(const char *words)
{
	XS_AUTO_FREE char *command = xs_asprintf(
		"DEBUGINFOD_URLS= gdb -nx -batch %s >%s/log 2>%s/errors", words, folder, folder);
	XS_AUTO_FREE char *path = in_folder("log");
	char *text = xs_calloc(1 << 16, 1);
	(void)!system(command);
	XS_AUTO_FILE FILE *log = fopen(path, "re");
	assert_non_null(log);
	(void)!fread(text, 1, (1 << 16) - 1, log);
	return text;
}

static void make_core(const char *name, const char *arguments)
{
	XS_AUTO_FREE char *words = xs_asprintf(
		"-ex 'run %s' -ex 'generate-core-file %s/%s' %s", arguments, folder, name, SUBJECT);
	XS_AUTO_FREE char *path = in_folder(name);
	free(run_gdb(words));
	assert_int_equal(access(path, R_OK), 0);
}

static struct di_core *open_core(const char *name, const char *program)
{
	XS_AUTO_FREE char *path = in_folder(name);
	struct di_core *core = NULL;
	struct xs_error *err = di_core_open(path, program, NULL, &core);
	if (err)
		fail_msg("%s", err->message);
	return core;
}

/* --- what a core says ------------------------------------------------------------------------- */

static void all_that_was_known_is_there(void **state)
{
	(void)state;
	XS_AUTO(di_core) core = open_core("core", NULL);
	assert_int_equal(core->signal, 4);
	check_registers(&core->target);
	check_memory(&core->target);
	check_modules(&core->target);
}

static void first_thread_is_the_one_that_crashed(void **state)
{
	(void)state;
	XS_AUTO(di_core) core = open_core("threads", NULL);
	assert_int_equal(core->threads, 2);
	check_registers(&core->target);
	check_memory(&core->target);
}

/* The kernel's cores list code without its bytes, and dump the headers of mapped files. */
static void kernel_core(void **state)
{
	(void)state;
	XS_AUTO_FREE char *command = xs_asprintf(
		"cd %s && mkdir kernel && cd kernel && ulimit -c unlimited && (%s 2 & wait $!) "
		">/dev/null 2>&1; mv core* ../by_kernel 2>/dev/null",
		folder, SUBJECT);
	XS_AUTO_FREE char *path = in_folder("by_kernel");
	(void)!system(command);
	if (access(path, R_OK)) {
		print_message("no core was written here: see /proc/sys/kernel/core_pattern\n");
		skip();
	}
	XS_AUTO(di_core) core = open_core("by_kernel", SUBJECT);
	assert_int_equal(core->threads, 2);
	assert_int_equal(core->signal, 4);
	check_registers(&core->target);
	check_memory(&core->target);
	check_modules(&core->target);
}

static void gdb_agrees(void **state)
{
	(void)state;
	static const char *const names[DI_REG_GENERAL] = {"rax", "rdx", "rcx", "rbx", "rsi", "rdi",
		"rbp", "rsp", "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15", "rip"};
	XS_AUTO(di_core) core = open_core("core", NULL);
	const struct di_target *target = &core->target;
	XS_AUTO_FREE char *script = in_folder("script");
	XS_AUTO_FILE FILE *out = fopen(script, "we");
	uint8_t bytes[DI_REG_BYTES], stack[256];
	unsigned size;
	assert_non_null(out);
	for (size_t i = 0; i < DI_REG_GENERAL; i++)
		fprintf(out, "printf \"%%lx\\n\", $%s\n", names[i]);
	fprintf(out, "printf \"%%lx\\n\", $eflags\nprintf \"%%lx\\n\", $fs_base\n");
	for (size_t i = 0; i < 16; i++)
		fprintf(out, "printf \"%%lx %%lx\\n\", $xmm%zu.v2_int64[0], $xmm%zu.v2_int64[1]\n",
			i, i);
	fprintf(out, "printf \"%%x\\n\", $mxcsr\n");
	for (size_t i = 0; i < sizeof stack / 8; i++)
		fprintf(out, "printf \"%%lx\\n\", ((unsigned long *)$rsp)[%zu]\n", i);
	fflush(out);
	XS_AUTO_FREE char *words = xs_asprintf("-x %s %s %s/core", script, SUBJECT, folder);
	XS_AUTO_FREE char *said = run_gdb(words);

	XS_AUTO_FREE char *ours = xs_calloc(1 << 16, 1);
	XS_AUTO_FILE FILE *text = fmemopen(ours, 1 << 16, "w");
	for (unsigned i = 0; i < DI_REG_GENERAL; i++)
		fprintf(text, "%" PRIx64 "\n", number_in(target, i, 8));
	fprintf(text, "%" PRIx64 "\n", number_in(target, DI_REG_RFLAGS, 8));
	fprintf(text, "%" PRIx64 "\n", number_in(target, DI_REG_FS_BASE, 8));
	for (unsigned i = 0; i < 16; i++) {
		uint64_t halves[2];
		assert_true(target->reg(target->arg, DI_REG_XMM0 + i, bytes, &size));
		memcpy(halves, bytes, sizeof halves);
		fprintf(text, "%" PRIx64 " %" PRIx64 "\n", halves[0], halves[1]);
	}
	fprintf(text, "%" PRIx64 "\n", number_in(target, DI_REG_MXCSR, 4));
	assert_true(
		target->memory(target->arg, number_in(target, DI_REG_RSP, 8), stack, sizeof stack));
	for (size_t i = 0; i < sizeof stack; i += 8) {
		uint64_t word;
		memcpy(&word, stack + i, 8);
		fprintf(text, "%" PRIx64 "\n", word);
	}
	fflush(text);
	const char *first = strstr(said, "1111111111111100\n");
	assert_non_null(first);
	assert_string_equal(first, ours);
}

/* --- which program ---------------------------------------------------------------------------- */

static void refuse(const char *name, const char *program, const char *says)
{
	XS_AUTO_FREE char *path = in_folder(name);
	struct di_core *core = NULL;
	XS_AUTO(xs_error) err = di_core_open(path, program, NULL, &core);
	assert_null(core);
	assert_non_null(err);
	if (!strstr(err->message, says) || !strstr(err->message, path))
		fail_msg("'%s' does not say '%s'", err->message, says);
}

static void copy(const char *from, const char *to, size_t size)
{
	XS_AUTO_FREE char *path = in_folder(to);
	XS_AUTO_FILE FILE *in = fopen(from, "re");
	XS_AUTO_FILE FILE *out = fopen(path, "we");
	int byte;
	assert_true(in && out);
	while (size-- && (byte = fgetc(in)) != EOF)
		fputc(byte, out);
}

static void program_may_have_moved(void **state)
{
	(void)state;
	copy(SUBJECT, "tool_registers", SIZE_MAX);
	XS_AUTO_FREE char *moved = in_folder("tool_registers");
	XS_AUTO(di_core) core = open_core("core", moved);
	check_memory(&core->target);
	check_modules(&core->target);
	assert_string_equal(
		core->target.find(core, number_in(&core->target, DI_REG_RIP, 8))->module->path,
		moved);
}

static void program_must_fit(void **state)
{
	(void)state;
	refuse("core", "/bin/true", "is not of /bin/true but of " SUBJECT);
	refuse("core", "/no/such", "/no/such: No such file");
	refuse("core", folder, "a directory, not a program");
	refuse("core", "/etc/passwd", "/etc/passwd: not an ELF file");
}

/* --- bad files -------------------------------------------------------------------------------- */

static void what_is_no_core_is_refused(void **state)
{
	(void)state;
	refuse("none", NULL, "No such file");
	copy(SUBJECT, "program", SIZE_MAX);
	refuse("program", NULL, "not a core file");
	copy("/etc/passwd", "text", SIZE_MAX);
	refuse("text", NULL, "not an ELF file");
}

static void cut_short_is_said(void **state)
{
	(void)state;
	XS_AUTO_FREE char *path = in_folder("core");
	struct stat status;
	assert_int_equal(stat(path, &status), 0);
	const size_t sizes[] = {20, 64, 300, 2000, 4096, (size_t)status.st_size / 2};
	for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
		copy(path, "cut", sizes[i]);
		refuse("cut", NULL, i ? "cut short" : "invalid ELF file");
	}
}

/* Whatever the notes say, opening ends in a core or an error. */
static void garbled_notes_do_no_harm(void **state)
{
	(void)state;
	XS_AUTO_FREE char *whole = in_folder("core");
	XS_AUTO_FREE char *path = in_folder("garbled");
	GElf_Phdr header = {0};
	struct di_file *file = NULL;
	assert_null(di_file_open(whole, "a core file", &file));
	for (int i = 0; header.p_type != PT_NOTE; i++)
		assert_non_null(gelf_getphdr(file->elf, i, &header));
	di_file_destroy(file);
	copy(whole, "garbled", SIZE_MAX);
	XS_AUTO_CLOSE int fd = open(path, O_RDWR | O_CLOEXEC);
	uint8_t *notes = xs_calloc(header.p_filesz, 1);
	assert_int_equal(
		pread(fd, notes, header.p_filesz, (off_t)header.p_offset), header.p_filesz);
	uint64_t seed = 1;
	for (int round = 0; round < 400; round++) {
		struct di_core *core = NULL;
		off_t at[8];
		for (size_t i = 0; i < 8; i++) {
			seed = seed * 6364136223846793005u + 1442695040888963407u;
			size_t where = (seed >> 33) % header.p_filesz;
			uint8_t byte = round & 1 ? 0xff : (uint8_t)(seed >> 20);
			at[i] = (off_t)where;
			(void)!pwrite(fd, &byte, 1, (off_t)header.p_offset + at[i]);
		}
		XS_AUTO(xs_error) err = di_core_open(path, NULL, NULL, &core);
		assert_true(!err != !core);
		uint8_t bytes[64];
		if (core)
			core->target.memory(core, core->regs.rsp, bytes, sizeof bytes);
		di_core_destroy(core);
		for (size_t i = 0; i < 8; i++)
			(void)!pwrite(fd, notes + at[i], 1, (off_t)header.p_offset + at[i]);
	}
	free(notes);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_that_was_known_is_there),
		cmocka_unit_test(first_thread_is_the_one_that_crashed),
		cmocka_unit_test(kernel_core),
		cmocka_unit_test(gdb_agrees),
		cmocka_unit_test(program_may_have_moved),
		cmocka_unit_test(program_must_fit),
		cmocka_unit_test(what_is_no_core_is_refused),
		cmocka_unit_test(cut_short_is_said),
		cmocka_unit_test(garbled_notes_do_no_harm),
	};
	if (system("gdb --version >/dev/null 2>&1")) {
		fprintf(stderr,
			"gdb is not installed, and makes the core files: apt-get install gdb\n");
		return SKIPPED;
	}
	if (!mkdtemp(folder))
		return 2;
	make_core("core", "");
	make_core("threads", "2");
	int failed = cmocka_run_group_tests(tests, NULL, NULL);
	XS_AUTO_FREE char *clean = xs_asprintf("rm -rf '%s'", folder);
	if (failed)
		fprintf(stderr, "kept: %s\n", folder);
	else
		(void)!system(clean);
	return failed;
}
