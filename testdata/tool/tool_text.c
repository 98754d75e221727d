/* Programs that take their own code away, move or change it; argv[1] says how. Each ends in every
 * mode as without xstep. None reads its code: it would see the tracer's traps. */
#define _GNU_SOURCE
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

enum { PAGE = 4096, ALL = PROT_READ | PROT_WRITE | PROT_EXEC, CODE = PROT_READ | PROT_EXEC };

#define APART __attribute__((section(".text.apart"), noinline))

static void say(const char *text)
{
	(void)!write(1, text, strlen(text));
}

/* A page of its own. */
APART __attribute__((aligned(PAGE))) int apart(int x)
{
	return x + 3;
}

APART int loop(int x)
{
	int sum = 0;
	for (int i = 0; i < x; i++)
		sum += i;
	return sum;
}

APART __attribute__((aligned(PAGE))) void behind(void)
{
	say("behind\n");
}

static void *page_of(int (*function)(int))
{
	return (void *)((uintptr_t)function & ~(uintptr_t)(PAGE - 1));
}

/* mov $value, %eax; ret */
static void write_code(void *at, uint8_t value)
{
	const uint8_t code[] = {0xb8, value, 0, 0, 0, 0xc3};
	memcpy(at, code, sizeof code);
}

static int take_away(int unused)
{
	(void)unused;
	say("unmap\n");
	munmap(page_of(take_away), PAGE);
	return 1;
}

static int unmap_own(void)
{
	return take_away(0);
}

static int unmap_all(void)
{
	extern char __executable_start, etext;
	say("unmap\n");
	munmap(&__executable_start, (size_t)(&etext - &__executable_start));
	return 1;
}

static int unmap_other(void)
{
	int n = apart(1);
	munmap(page_of(apart), PAGE);
	say("unmapped\n");
	return apart(n);
}

static int unmap_unused(void)
{
	int n = apart(1);
	munmap(page_of(apart), PAGE);
	say("unmapped\n");
	return n;
}

static void on_fault(int number)
{
	(void)number;
	say("fault\n");
	_exit(33);
}

static int unmap_handled(void)
{
	signal(SIGSEGV, on_fault);
	munmap(page_of(apart), PAGE);
	return apart(1);
}

static int protect(void)
{
	int n = loop(9);
	mprotect(page_of(apart), PAGE, PROT_NONE);
	say("protected\n");
	return apart(n);
}

static int protect_from_execution(void)
{
	int n = loop(9);
	mprotect(page_of(apart), PAGE, PROT_READ);
	say("protected\n");
	return apart(n);
}

static int protect_and_back(void)
{
	int n = loop(9);
	mprotect(page_of(apart), PAGE, PROT_NONE);
	say("protected\n");
	mprotect(page_of(apart), PAGE, CODE);
	return apart(n) + loop(4);
}

static int move(void)
{
	char *room = mmap(NULL, PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	int n = loop(9);
	mremap(page_of(apart), PAGE, PAGE, MREMAP_MAYMOVE | MREMAP_FIXED, room);
	uintptr_t moved = (uintptr_t)room + (uintptr_t)apart % PAGE;
	printf("%d\n", n + ((int (*)(int))moved)(2));
	fflush(stdout);
	return apart(n);
}

static int change(void)
{
	int n = apart(1) + loop(5);
	mprotect(page_of(apart), PAGE, ALL);
	write_code((void *)apart, 40);
	return n + apart(1);
}

static int change_and_protect(void)
{
	int n = apart(1);
	mprotect(page_of(apart), PAGE, ALL);
	write_code((void *)apart, 77);
	mprotect(page_of(apart), PAGE, CODE);
	return n + apart(1);
}

static int change_through_file(void)
{
	const uint8_t code[] = {0xb8, 55, 0, 0, 0, 0xc3};
	int n = apart(1);
	FILE *memory = fopen("/proc/self/mem", "r+");
	setbuf(memory, NULL);
	fseek(memory, (long)apart, SEEK_SET);
	fwrite(code, 1, sizeof code, memory);
	fclose(memory);
	return n + apart(1);
}

static int replace(void)
{
	int n = apart(1) + loop(3);
	void *at = page_of(apart);
	mmap(at, PAGE, ALL, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
	write_code((void *)apart, 66);
	mprotect(at, PAGE, CODE);
	return n + apart(1);
}

static int replace_by_nothing(void)
{
	int n = loop(9);
	mmap(page_of(apart), PAGE, CODE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
	say("zero\n");
	return n + loop(2);
}

static int give_back(void)
{
	int n = apart(1);
	madvise(page_of(apart), PAGE, MADV_DONTNEED);
	return apart(n) + loop(4);
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		int (*run)(void);
	} ways[] = {{"unmap_own", unmap_own}, {"unmap_all", unmap_all},
		{"unmap_other", unmap_other}, {"unmap_unused", unmap_unused},
		{"unmap_handled", unmap_handled}, {"protect", protect},
		{"protect_from_execution", protect_from_execution},
		{"protect_and_back", protect_and_back}, {"move", move}, {"change", change},
		{"change_and_protect", change_and_protect},
		{"change_through_file", change_through_file}, {"replace", replace},
		{"replace_by_nothing", replace_by_nothing}, {"give_back", give_back}};
	struct rlimit none = {0, 0};
	setrlimit(RLIMIT_CORE, &none);
	for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
		if (argc == 1)
			puts(ways[i].name);
		else if (!strcmp(argv[1], ways[i].name))
			return ways[i].run();
	return argc == 1 ? 0 : 100;
}
