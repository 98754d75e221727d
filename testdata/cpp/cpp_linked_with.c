/* cpp_linked_with.c - the other unit of cpp_linked.cpp. */
#include "cpp_linked.h"

static __attribute__((noinline)) const std::size_t *pick(const std::size_t *a, const std::size_t *b)
{
	return *a < *b ? a : b;
}

__attribute__((noinline)) std::size_t work(std::size_t n)
{
	return *pick(&blocks::size, &n) + blocks::log;
}
