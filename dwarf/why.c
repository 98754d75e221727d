#include "dwarf/why.h"

#include <string.h>

static const char *const names[] = {
#define WHY(code, name, words) [DI_WHY_##code] = name,
#include "dwarf/why_list.h"
#undef WHY
};

const char *di_why_name(enum di_why_code code)
{
	return names[code];
}

enum di_why_code di_why_named(const char *name)
{
	for (unsigned i = 0; name && i < DI_WHY_COUNT; i++)
		if (!strcmp(names[i], name))
			return (enum di_why_code)i;
	return DI_WHY_NONE;
}
