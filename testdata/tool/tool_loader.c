/* Loads tool_plugin.c's two shared objects, argv[1] and argv[2], while it runs: the first, then the
 * first again where it was not before, then the second where the first was, then both at once. Last
 * the first once more, argv[3] times. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

enum { ROOM = 4096 };

static int back(int value)
{
	return 2 * value;
}

/* Calls the plugin and says where it is. */
static void *use(void *plugin, int rounds)
{
	int (*work)(int, int (*)(int)) = (int (*)(int, int (*)(int)))dlsym(plugin, "work");
	Dl_info info;
	printf("%d\n", work(rounds, back));
	dladdr((void *)work, &info);
	return info.dli_fbase;
}

static void *load(const char *path)
{
	void *plugin = dlopen(path, RTLD_NOW);
	if (!plugin) {
		puts(dlerror());
		exit(1);
	}
	return plugin;
}

int main(int argc, char **argv)
{
	if (argc < 3)
		return 2;
	void *first = load(argv[1]);
	void *where = use(first, 10);
	dlclose(first);

	void *taken = mmap(
		where, ROOM, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
	first = load(argv[1]);
	void *elsewhere = use(first, 4);
	puts(elsewhere == where ? "the same place" : "elsewhere");
	munmap(taken, ROOM);

	void *second = load(argv[2]);
	puts(use(second, 7) == where ? "in its place" : "somewhere");
	use(first, 2);
	dlclose(first);
	use(second, 5);
	dlclose(second);

	for (int i = argc > 3 ? atoi(argv[3]) : 0; i > 0; i--) {
		first = load(argv[1]);
		use(first, 2000);
		dlclose(first);
	}
	return 0;
}
