#include "dwarf/zstd.h"

#include <dlfcn.h>
#include <stdbool.h>

#include "base/cleanup.h"

#define LIBRARY "libzstd.so.1"

/* As its header has them. */
struct library {
	size_t (*decompress)(void *to, size_t room, const void *from, size_t count);
	unsigned (*is_error)(size_t result);
};

static bool resolve(void *library, const char *name, void *ret)
{
	void *symbol = dlsym(library, name);
	memcpy(ret, &symbol, sizeof symbol);
	return symbol;
}

static const struct library *load(void)
{
	static struct library library;
	static bool tried, usable;
	if (tried)
		return usable ? &library : NULL;
	tried = true;
	void *handle = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL);
	usable = handle && resolve(handle, "ZSTD_decompress", &library.decompress) &&
		 resolve(handle, "ZSTD_isError", &library.is_error);
	return usable ? &library : NULL;
}

struct xs_error *di_zstd_uncompress(const void *from, size_t count, void *ret, size_t size)
{
	const struct library *library = load();
	if (!library)
		return xs_error_create("compressed by zstd, and " LIBRARY
				       " cannot be loaded: install it, or uncompress the program "
				       "by objcopy --decompress-debug-sections");
	size_t got = library->decompress(ret, size, from, count);
	if (library->is_error(got) || got != size)
		return xs_error_corrupt("compressed by zstd, and damaged");
	return NULL;
}
