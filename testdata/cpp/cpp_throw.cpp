/* Subject of cli/cpp_test.py.
 * build: -std=c++17
 *
 * Exceptions: thrown and caught through library code, rethrown, by value and by reference, with objects that
 * are taken down on the way. */
#include <algorithm>
#include <exception>
#include <new>
#include <stdexcept>
#include <vector>

#include "cpp_say.h"

static int alive;
struct Guard {
	int number;
	explicit Guard(int n) : number(n) { alive++; }
	__attribute__((noinline)) ~Guard()
	{
		alive--;
		say("this->number", number);
		say("alive", alive);
		stop();
	}
};
struct Problem : std::runtime_error {
	int code;
	explicit Problem(int n) : std::runtime_error("problem"), code(n) {}
};

__attribute__((noinline)) int fail(int n)
{
	Guard guard(n);
	int before = n * 2;
	say("before", before);
	say("guard.number", guard.number);
	stop();
	if (n > 1)
		throw Problem(before);
	return before;
}

__attribute__((noinline)) int through(int n)
{
	std::vector<int> numbers = {1, n, 3};
	int seen = 0;
	try {
		std::for_each(numbers.begin(), numbers.end(), [&seen](int number) {
			seen += number;
			seen += fail(number);
		});
	} catch (const Problem &problem) {
		say("problem.code", problem.code);
		say("seen", seen);
		say("n", n);
		stop();
		return problem.code + seen;
	}
	return seen;
}

__attribute__((noinline)) int again(int n)
{
	int kept = n + 1;
	try {
		try {
			throw n;
		} catch (int value) {
			say("value", value);
			say("kept", kept);
			stop();
			if (value > 2)
				throw;
		}
	} catch (int &value) {
		value += 1;
		say("*value", value);
		say("kept", kept);
		stop();
		kept += value;
	}
	try {
		std::vector<char> much;
		much.at(kept) = 1;
	} catch (std::exception &) {
		kept += 100;
		say("kept", kept);
		stop();
	}
	return kept;
}

static int cleaned(int n) noexcept
{
	try {
		return fail(n);
	} catch (...) {
		say("n", n);
		stop();
		return -1;
	}
}

int main(int argc, char **)
{
	int sum = through(argc + 1) + again(argc + 4) + cleaned(argc + 8);
	std::printf("%d\n", sum);
	return 0;
}
