/* Subject of cli/cpp_test.py.
 * build: -flto
 *
 * Link-time optimisation makes a unit of its own, <artificial>, and has the code and what is in memory there. The
 * units that it came from have no code, and still have the constants of a header. */
#include <cstdio>

#include "cpp_linked.h"

int main(int argc, char **)
{
	std::printf("%zu %zu\n", blocks::most(argc), work(argc));
	return 0;
}
