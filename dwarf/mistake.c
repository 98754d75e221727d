#include "dwarf/mistake.h"

#include <string.h>

static const struct {
	const char *text, *debugger, *rule;
} names[] = {{"none", "", ""},
#define X(name, debugger, rule) {debugger ":" rule, debugger, rule},
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

enum di_mistake di_mistake_named(const char *debugger, const char *rule)
{
	for (unsigned i = 1; i < DI_MISTAKE_COUNT; i++)
		if (!strcmp(names[i].debugger, debugger) && !strcmp(names[i].rule, rule))
			return (enum di_mistake)i;
	return DI_MISTAKE_NONE;
}
