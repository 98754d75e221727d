#include "oracle/witness/witness.h"

#include <string.h>

static const struct {
	const char *name, *voice;
} words[ORA_WITNESS_KINDS] = {
	[ORA_WITNESS_XSTEP] = {"xstep", NULL},
	[ORA_WITNESS_GDB] = {"gdb", "gdb:print"},
	[ORA_WITNESS_LLDB] = {"lldb", "lldb:expression"},
	[ORA_WITNESS_ADDR2LINE] = {"addr2line", NULL},
	[ORA_WITNESS_LLVM_SYMBOLIZER] = {"llvm-symbolizer", NULL},
	[ORA_WITNESS_EU_ADDR2LINE] = {"eu-addr2line", NULL},
};

const char *ora_witness_name(enum ora_witness_kind kind)
{
	return words[kind].name;
}

const char *ora_witness_voice(enum ora_witness_kind kind)
{
	return words[kind].voice;
}

const char *ora_witness_label(const struct ora_witness *witness)
{
	return witness->by_name ? ora_witness_voice(witness->kind)
				: ora_witness_name(witness->kind);
}

bool ora_witness_is(const char *label, enum ora_witness_kind kind)
{
	const char *name = ora_witness_name(kind);
	size_t length = strlen(name);
	return !strncmp(label, name, length) && (!label[length] || label[length] == ':');
}

bool ora_witness_is_of_symboliser(const char *label)
{
	for (int kind = ORA_WITNESS_DEBUGGERS; kind < ORA_WITNESS_KINDS; kind++)
		if (ora_witness_is(label, (enum ora_witness_kind)kind))
			return true;
	return false;
}

bool ora_witness_is_by_name(const char *label)
{
	return strchr(label, ':') != NULL;
}

void ora_witness_deinit(struct ora_witness *witness)
{
	free(witness->path);
	free(witness->version);
	free(witness->python);
	free(witness->modules);
	free(witness->search);
	free(witness->problem);
	*witness = (struct ora_witness){0};
}

void ora_witnesses_deinit(struct ora_witnesses *list)
{
	for (size_t i = 0; i < list->vec.len; i++)
		ora_witness_deinit(&list->vec.data[i]);
	xs_vec_deinit(&list->vec);
}
