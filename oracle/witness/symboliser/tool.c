#include "oracle/witness/symboliser/tool.h"

/* Names are asked for as the file has them: demangling is a matter of taste. */
static const struct ora_tool rows[] = {
	{.kind = ORA_WITNESS_ADDR2LINE,
		.dialect = ORA_DIALECT_ADDR2LINE,
		.words = {(char[]){"-afi"}, (char[]){"-e"}},
		.mark = "GNU addr2line",
		.absent = "not found: apt-get install binutils"},
	{.kind = ORA_WITNESS_LLVM_SYMBOLIZER,
		.dialect = ORA_DIALECT_JSON,
		.words = {(char[]){"--no-demangle"}, (char[]){"--output-style=JSON"},
			(char[]){"-e"}},
		.mark = "LLVM version",
		.numbered = true,
		.absent = "not found: apt-get install llvm-15 (or another version)"},
	{.kind = ORA_WITNESS_EU_ADDR2LINE,
		.dialect = ORA_DIALECT_EU,
		.words = {(char[]){"-afi"}, (char[]){"-e"}},
		.mark = "(elfutils)",
		.absent = "not found: apt-get install elfutils"},
};

const struct ora_tool *ora_tool_of(enum ora_witness_kind kind)
{
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		if (rows[i].kind == kind)
			return &rows[i];
	return NULL;
}
