/* cpp_linked.h - constants that each unit has for itself, of which one is in memory. */
#ifndef CPP_LINKED_H
#define CPP_LINKED_H

#include <cstddef>

namespace blocks {
static constexpr int log = 16;
static constexpr std::size_t size = 1 << log;
inline std::size_t most(std::size_t n) { return n < size ? n : size; }
}
std::size_t work(std::size_t n);

#endif
