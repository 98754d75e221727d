#include "source/clang.h"

#include <dlfcn.h>
#include <stdbool.h>

struct src_clang src_clang;

#ifdef __SANITIZE_ADDRESS__
/* ASan of gcc 12 takes a block of thread-local storage whose address ends in 0x010 for one with an
 * old glibc's header in front of it, and LSan then reads whatever that header says and dies. The
 * block of a library that is loaded late, as libclang is, ends so once in 128 times. What LSan
 * needs to know of such blocks it knows without: the loader's allocations are reachable. */
const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
	return "intercept_tls_get_addr=0";
}
#endif

static struct xs_error *find(void *library, const char *name, void *ret)
{
	void *found = dlsym(library, name);
	if (!found)
		return xs_error_create(
			"%s: no %s: another version than xstep was built with", SRC_LIBCLANG, name);
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
		return xs_error_create("%s: apt-get install libclang1-15", dlerror());
#define FIND(name)                                                                                 \
	if (!err)                                                                                  \
		err = find(library, "clang_" #name, &src_clang.name);
	SRC_CLANG_FUNCTIONS(FIND)
#undef FIND
	loaded = !err;
	return err;
}
