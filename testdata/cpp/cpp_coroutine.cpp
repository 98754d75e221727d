/* Subject of cli/cpp_test.py.
 * build: -std=c++20
 *
 * Coroutines: locals that live across a suspension, parameters, the promise. */
#include <coroutine>
#include <exception>

#include "cpp_say.h"

struct Task {
	struct promise_type {
		int current = 0;
		Task get_return_object() { return {std::coroutine_handle<promise_type>::from_promise(*this)}; }
		std::suspend_always initial_suspend() { return {}; }
		std::suspend_always final_suspend() noexcept { return {}; }
		__attribute__((noinline)) std::suspend_always yield_value(int value)
		{
			current = value;
			say("this->current", current);
			say("value", value);
			stop();
			return {};
		}
		void return_void() {}
		void unhandled_exception() { std::terminate(); }
	};
	std::coroutine_handle<promise_type> handle;
};

Task count(int from, int to)
{
	int sum = 0;
	for (int i = from; i < to; i++) {
		sum += i;
		say("i", i);
		say("sum", sum);
		say("from", from);
		say("to", to);
		stop();
		co_yield sum;
	}
	say("sum", sum);
	stop();
}

int main(int argc, char **)
{
	Task task = count(argc + 2, argc + 5);
	int total = 0;
	while (!task.handle.done()) {
		task.handle.resume();
		total += task.handle.promise().current;
	}
	say("total", total);
	stop();
	task.handle.destroy();
	std::printf("%d\n", total);
	return 0;
}
