#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "dwarf/leaf_fake.h"

#include <dwarf.h>
#include <gelf.h>
#include <sys/wait.h>

#include "dwarf/attribute.h"

enum { NO_SUCH_COMPILER = 127 };

/* The bytes that the file loads at address, the rest of the segment being zero. */
static bool read_file(struct fixture *fixture, xs_addr address, uint8_t *ret, size_t size)
{
	size_t count, file_size;
	const char *file = elf_rawfile(fixture->module->elf, &file_size);
	if (elf_getphdrnum(fixture->module->elf, &count))
		return false;
	for (size_t i = 0; i < count; i++) {
		GElf_Phdr phdr;
		if (!gelf_getphdr(fixture->module->elf, (int)i, &phdr) || phdr.p_type != PT_LOAD ||
			address < phdr.p_vaddr || address - phdr.p_vaddr > phdr.p_memsz ||
			size > phdr.p_memsz - (address - phdr.p_vaddr))
			continue;
		for (size_t j = 0; j < size; j++) {
			uint64_t at = address - phdr.p_vaddr + j;
			ret[j] = at < phdr.p_filesz ? (uint8_t)file[phdr.p_offset + at] : 0;
		}
		return true;
	}
	return false;
}

static struct xs_error *fixture_memory(
	void *arg, xs_addr address, void *ret, size_t size, struct di_answer *answer)
{
	struct fixture *fixture = arg;
	fixture->reads++;
	if (size > fixture->largest_read)
		fixture->largest_read = size;
	bool refused = fixture->unreadable && address + size > fixture->unreadable;
	if (refused || !read_file(fixture, address, ret, size))
		di_answer_error(answer, DI_WHY_OTHER, .text = {"no such memory"});
	return NULL;
}

static struct xs_error *fixture_reg(
	void *arg, uint64_t reg, struct di_wide *ret, unsigned *bits, struct di_answer *answer)
{
	(void)arg, (void)ret, (void)bits;
	di_answer_error(answer, DI_WHY_NO_REGISTER, .number = {reg});
	return NULL;
}

static struct xs_error *fixture_number(void *arg, Dwarf_Die *die, unsigned at,
	const xs_addr *object, struct di_wide *ret, struct di_answer *answer)
{
	const struct fixture *fixture = arg;
	(void)die;
	/* A virtual base class: the vtable would say, so the test does. */
	if (at == DW_AT_data_member_location)
		*ret = di_wide_from_u(*object + fixture->bound);
	else
		*ret = di_wide_from_u(fixture->bound - (at == DW_AT_upper_bound));
	if (fixture->bound_gone)
		di_answer_gone(answer, DI_WHY_OTHER, .text = {"not saved"});
	return NULL;
}

static int compile(
	const char *compiler, const char *option, const char *source, const char *program)
{
	int status;
	pid_t child = fork();
	assert_true(child >= 0);
	if (child == 0) {
		/* One option or two. */
		char first[64];
		size_t len = strcspn(option, " ");
		snprintf(first, sizeof first, "%.*s", (int)len, option);
		execlp(compiler, compiler, first, option[len] ? option + len + 1 : "-w", "-O0",
			"-no-pie", "-w", "-o", program, source, (char *)NULL);
		_exit(NO_SUCH_COMPILER);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

bool fixture_open(
	struct fixture *fixture, const char *compiler, const char *option, const char *source)
{
	char path[512];
	*fixture = (struct fixture){.folder = "/tmp/xstep-leaf-XXXXXX"};
	assert_non_null(mkdtemp(fixture->folder));
	snprintf(fixture->program, sizeof fixture->program, "%s/program", fixture->folder);
	snprintf(path, sizeof path, "%s/%s", XSTEP_TESTDATA, source);
	int status = compile(compiler, option, path, fixture->program);
	if (status == NO_SUCH_COMPILER) {
		rmdir(fixture->folder);
		return false;
	}
	assert_int_equal(status, 0);
	struct xs_error *err = di_module_open(fixture->program, &fixture->module);
	if (err)
		fail_msg("%s", err->message);
	fixture->types = di_types_create(fixture->module);
	fixture->host = (struct di_leaf_host){.arg = fixture,
		.reg = fixture_reg,
		.memory = fixture_memory,
		.number = fixture_number};
	return true;
}

void fixture_close(struct fixture *fixture)
{
	di_types_destroy(fixture->types);
	di_module_destroy(fixture->module);
	unlink(fixture->program);
	rmdir(fixture->folder);
}

static bool find_variable(Dwarf_Die *parent, const char *name, Dwarf_Die *ret)
{
	Dwarf_Die child;
	if (dwarf_child(parent, &child))
		return false;
	do {
		int tag = dwarf_tag(&child);
		const char *own = dwarf_diename(&child);
		if (tag == DW_TAG_variable && own && !strcmp(own, name) &&
			di_hasattr_integrate(&child, DW_AT_type)) {
			*ret = child;
			return true;
		}
		if ((tag == DW_TAG_subprogram || tag == DW_TAG_lexical_block) &&
			find_variable(&child, name, ret))
			return true;
	} while (!dwarf_siblingof(&child, &child));
	return false;
}

Dwarf_Die fixture_variable(struct fixture *fixture, const char *name)
{
	Dwarf_CU *cu = NULL;
	Dwarf_Die unit, ret;
	while (!dwarf_get_units(fixture->module->dwarf, cu, &cu, NULL, NULL, &unit, NULL))
		if (find_variable(&unit, name, &ret))
			return ret;
	fail_msg("no variable %s", name);
	return (Dwarf_Die){0};
}

xs_addr fixture_address(struct fixture *fixture, const char *name)
{
	Dwarf_Die die = fixture_variable(fixture, name);
	Dwarf_Attribute attr, address;
	Dwarf_Op *ops;
	size_t count;
	Dwarf_Addr ret;
	assert_non_null(di_attr_integrate(&die, DW_AT_location, &attr));
	assert_int_equal(dwarf_getlocation(&attr, &ops, &count), 0);
	assert_int_equal(count, 1);
	if (ops[0].atom == DW_OP_addr)
		return ops[0].number;
	assert_int_equal(dwarf_getlocation_attr(&attr, &ops[0], &address), 0);
	assert_int_equal(dwarf_formaddr(&address, &ret), 0);
	return ret;
}
