#include "dwarf/debuginfod.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdbool.h>

#include "base/log.h"

#define LIBRARY "libdebuginfod.so.1"

struct client {
	void *(*begin)(void); /* a handle for one or more requests */
	void (*end)(void *handle);
	/* A descriptor of the file and its path, or -errno. */
	int (*find)(void *handle, const unsigned char *id, int size, char **path);
};

static bool resolve(void *library, const char *name, void *ret)
{
	/* ISO C knows no way from an object pointer to a function pointer but this. */
	void *symbol = dlsym(library, name);
	memcpy(ret, &symbol, sizeof symbol);
	return symbol;
}

/* The library stays loaded: what it started in the background may outlive a request. */
static const struct client *load(void)
{
	static struct client client;
	static bool tried, usable;
	if (tried)
		return usable ? &client : NULL;
	tried = true;
	void *library = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL);
	usable = library && resolve(library, "debuginfod_begin", &client.begin) &&
		 resolve(library, "debuginfod_end", &client.end) &&
		 resolve(library, "debuginfod_find_debuginfo", &client.find);
	if (!usable)
		xs_log(XS_LOG_DWARF, XS_LOG_WARN,
			"DEBUGINFOD_URLS is set, but the client cannot be loaded: %s; "
			"apt-get install libdebuginfod1",
			library ? LIBRARY " is not what it should be" : dlerror());
	return usable ? &client : NULL;
}

char *di_debuginfod_fetch(const char *of, const uint8_t *id, size_t size)
{
	const char *urls = getenv("DEBUGINFOD_URLS");
	const struct client *client = urls && *urls ? load() : NULL;
	void *handle = client ? client->begin() : NULL;
	char *path = NULL;
	if (!handle)
		return NULL;
	XS_AUTO_CLOSE int fd = client->find(handle, id, (int)size, &path);
	client->end(handle);
	if (fd >= 0)
		return path;
	/* That no server knows the file is the usual answer. */
	xs_log(XS_LOG_DWARF, fd == -ENOENT ? XS_LOG_INFO : XS_LOG_WARN, "%s: debuginfod: %s", of,
		strerror(-fd));
	free(path);
	return NULL;
}
