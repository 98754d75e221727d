#include "engine/fiber.h"

#include <stdint.h>
#include <sys/mman.h>

#include "base/alloc.h"
#include "base/error.h"

#ifndef __has_feature
#define __has_feature(name) 0
#endif
#if defined(__SANITIZE_ADDRESS__) || __has_feature(address_sanitizer)
#include <sanitizer/common_interface_defs.h>
#define start_switch  __sanitizer_start_switch_fiber
#define finish_switch __sanitizer_finish_switch_fiber
#else
static void start_switch(void **fake, const void *stack, size_t size)
{
	(void)fake, (void)stack, (void)size;
}

static void finish_switch(void *fake, const void **stack, size_t *size)
{
	(void)fake, (void)stack, (void)size;
}
#endif

enum {
	GUARD = 4096,
	STACK = 8 << 20, /* as much as a program has; what is not used costs nothing */
};

static void run(unsigned high, unsigned low)
{
	struct eng_fiber *fiber = (struct eng_fiber *)((uintptr_t)high << 32 | low);
	finish_switch(NULL, &fiber->outer_stack, &fiber->outer_size);
	fiber->body(fiber->arg);
	fiber->over = true;
	/* Without a place to keep it, the sanitizer gives up what it has of this stack. */
	start_switch(NULL, fiber->outer_stack, fiber->outer_size);
	setcontext(&fiber->outside);
}

struct eng_fiber *eng_fiber_create(void (*body)(void *arg), void *arg)
{
	struct eng_fiber *fiber = xs_calloc(1, sizeof *fiber);
	int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK;
	fiber->memory = mmap(NULL, GUARD + STACK, PROT_READ | PROT_WRITE, flags, -1, 0);
	/* As much out of memory as any other way to be. */
	xs_assert(fiber->memory != MAP_FAILED && !mprotect(fiber->memory, GUARD, PROT_NONE));
	fiber->body = body;
	fiber->arg = arg;
	getcontext(&fiber->context);
	fiber->context.uc_stack.ss_sp = (char *)fiber->memory + GUARD;
	fiber->context.uc_stack.ss_size = STACK;
	fiber->context.uc_link = NULL;
	/* makecontext() passes ints. */
	makecontext(&fiber->context, (void (*)(void))run, 2, (unsigned)((uintptr_t)fiber >> 32),
		(unsigned)(uintptr_t)fiber);
	return fiber;
}

void eng_fiber_destroy(struct eng_fiber *fiber)
{
	if (!fiber)
		return;
	munmap(fiber->memory, GUARD + STACK);
	free(fiber);
}

void eng_fiber_enter(struct eng_fiber *fiber)
{
	start_switch(
		&fiber->outer_fake, fiber->context.uc_stack.ss_sp, fiber->context.uc_stack.ss_size);
	swapcontext(&fiber->outside, &fiber->context);
	finish_switch(fiber->outer_fake, NULL, NULL);
}

void eng_fiber_leave(struct eng_fiber *fiber)
{
	start_switch(&fiber->fake, fiber->outer_stack, fiber->outer_size);
	swapcontext(&fiber->context, &fiber->outside);
	finish_switch(fiber->fake, &fiber->outer_stack, &fiber->outer_size);
}
