#include "dwarf/mistake.h"

#include <dwarf.h>

static const struct {
	const char *text, *debugger;
} names[] = {{"none", ""},
#define X(name, debugger, rule) {debugger ":" rule, debugger},
	DI_MISTAKES(X)
#undef X
};

const char *di_mistake_text(enum di_mistake mistake)
{
	return names[mistake].text;
}

const char *di_mistake_debugger(enum di_mistake mistake)
{
	return names[mistake].debugger;
}

bool di_mistake_keeps_address(
	bool as_value, enum di_mistake mistake, const uint8_t *behind, size_t size)
{
	if (mistake != DI_MISTAKE_LLDB_FILE_ADDRESS)
		return false;
	bool read = size && (behind[0] == DW_OP_deref || behind[0] == DW_OP_deref_size);
	return !read && (as_value || (size && behind[size - 1] == DW_OP_stack_value));
}
