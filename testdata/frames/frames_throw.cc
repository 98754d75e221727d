// Exceptions through several frames and through library code, destructors on the way, and one that is
// thrown again. All frames are right: no violation.
#include <algorithm>
#include <stdexcept>
#include <string>
#include <vector>

static int made;

struct Guard {
	std::string text;
	explicit Guard(int depth) : text(static_cast<size_t>(depth) * 9 + 1, 'x') { made++; }
	~Guard() { made += static_cast<int>(text.size()); }
};

__attribute__((noinline)) static int down(int depth)
{
	Guard guard(depth);
	if (!depth)
		throw std::runtime_error("the end");
	int sum = down(depth - 1);
	return sum + depth;
}

__attribute__((noinline)) static int again(int depth)
{
	try {
		return down(depth);
	} catch (...) {
		made++;
		throw;
	}
}

__attribute__((noinline)) static bool picky(int left, int right)
{
	if (left == 3)
		throw left;
	return left < right;
}

int main()
{
	std::vector<int> numbers = {4, 2, 3, 1};
	int sum = 0;
	for (int i = 0; i < 4; i++) {
		try {
			sum += again(i);
		} catch (const std::exception &error) {
			sum += static_cast<int>(std::string(error.what()).size());
		}
	}
	try {
		std::sort(numbers.begin(), numbers.end(), picky);
	} catch (int number) {
		sum += number;
	}
	return sum == 31 ? 0 : 1;
}
