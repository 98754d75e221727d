/* cpp_say.h - a program that says of itself what a debugger ought to show.
 *
 * say() prints the path of a leaf and its value, as xstep writes it. stop() ends a group: what was said since
 * the stop before holds in the caller of this one. cli/cpp_test.py asks there. */
#ifndef CPP_SAY_H
#define CPP_SAY_H

#include <cstdint>
#include <cstdio>
#include <type_traits>

template <typename T> __attribute__((noinline)) void say(const char *path, T value)
{
	if constexpr (std::is_pointer_v<T> || std::is_null_pointer_v<T>)
		std::printf("%s 0x%llx\n", path, (unsigned long long)(std::uintptr_t)value);
	else if constexpr (std::is_floating_point_v<T>)
		std::printf("%s %.9g\n", path, (double)value);
	else if constexpr (std::is_unsigned_v<T>)
		std::printf("%s %llu\n", path, (unsigned long long)value);
	else
		std::printf("%s %lld\n", path, (long long)value);
	std::fflush(stdout);
}

/* The debugger stops here, and looks from the caller's frame. */
extern "C" __attribute__((noinline)) void stop()
{
	std::puts("--");
	asm volatile("" ::: "memory");
}

#endif
