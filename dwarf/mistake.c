#include "dwarf/mistake.h"

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
