#include "oracle/witness/debugger/row.h"

static const struct ora_debugger rows[] = {
	{.kind = ORA_WITNESS_GDB,
		.script = "gdb_driver.py",
		.words = {(char[]){"-nx"}, (char[]){"-nh"}, (char[]){"-q"}, (char[]){"-batch"},
			(char[]){"-iex"}, (char[]){"set auto-load off"}},
		.command = (char[]){"-ex"},
		.loader = (char[]){"-x"},
		.load = "%s",
		.python = "python %s",
		.absent = "not found: apt-get install gdb",
		.dumb = "its Python does not work: apt-get install gdb (gdb-minimal has none)"},
	{.kind = ORA_WITNESS_LLDB,
		.script = "lldb_driver.py",
		.words = {(char[]){"--no-lldbinit"}, (char[]){"--batch"}},
		.command = (char[]){"-o"},
		.loader = (char[]){"-o"},
		.load = "command script import %s",
		.python = "script %s; import lldb; lldb.SBDebugger",
		.numbered = true,
		.modules = true,
		.absent = "not found: apt-get install lldb-15 python3-lldb-15 (or another version)",
		.dumb = "its Python does not work: apt-get install python3-lldb%s"},
};

const struct ora_debugger *ora_debugger_of(enum ora_witness_kind kind)
{
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		if (rows[i].kind == kind)
			return &rows[i];
	return NULL;
}

void ora_debugger_add(char **argv, char *word)
{
	while (*argv)
		argv++;
	*argv++ = word;
	*argv = NULL;
}

void ora_debugger_argv(
	const struct ora_debugger *debugger, char *path, char *option, char *value, char **ret)
{
	*ret++ = path;
	for (char *const *word = debugger->words; *word; word++)
		*ret++ = *word;
	*ret++ = option;
	*ret++ = value;
	*ret = NULL;
}
