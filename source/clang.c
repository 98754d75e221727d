#include "source/clang.h"

#include <dlfcn.h>
#include <stdbool.h>

struct src_clang src_clang;

static struct xs_error *find(void *library, const char *name, void *ret)
{
	void *found = dlsym(library, name);
	if (!found)
		return xs_error_create("%s: no %s: another version than xstep was built with",
			SRC_LIBCLANG, name);
	*(void **)ret = found;
	return NULL;
}

struct xs_error *src_clang_load(void)
{
	static bool loaded;
	struct xs_error *err = NULL;
	if (loaded)
		return NULL;
	void *library = dlopen(SRC_LIBCLANG, RTLD_NOW | RTLD_LOCAL);
	if (!library)
		return xs_error_create("%s: apt-get install libclang-15-dev", dlerror());
#define FIND(name) \
	if (!err) \
		err = find(library, "clang_" #name, &src_clang.name);
	SRC_CLANG_FUNCTIONS(FIND)
#undef FIND
	loaded = !err;
	return err;
}
