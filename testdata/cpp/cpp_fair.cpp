/* Subject of cli/cpp_test.py.
 * build: -std=c++20
 *
 * What debuggers and xstep list differently without anybody being wrong: members that the compiler made
 * (_vptr), in virtual bases, too; objects that are not built yet; constants that a class declares and nobody
 * defines; constants of a header, which are in each unit; the nameless actor of a coroutine in a lambda;
 * functions whose name is inside of the type that they return; statics of a function that is in several units,
 * which lldb calls `Once::get()::once`. */
#include <coroutine>
#include <cstdio>
#include <exception>

#include "cpp_fair.h"

struct Root {
	int root = 11;
	virtual ~Root() {}
};
struct Left : virtual Root {
	int left = 22;
	static constexpr int limit = 12;
	static inline long total = 99;
};
struct Bottom : Left {
	int bottom = 33;
};
Left global;

/* gdb spells it `Sized<char []>`, and clang `Sized<char[]>`. */
template <typename T> struct Sized {
	static const int unknown = 8;
};

struct Task {
	struct promise_type {
		Task get_return_object() { return {std::coroutine_handle<promise_type>::from_promise(*this)}; }
		std::suspend_always initial_suspend() noexcept { return {}; }
		std::suspend_always final_suspend() noexcept { return {}; }
		void return_void() {}
		void unhandled_exception() { std::terminate(); }
	};
	std::coroutine_handle<promise_type> handle;
};

/* Its demangled name is `int (*address<int [2]>(int (&) [2])) [2]`. */
template <typename T> __attribute__((noinline)) T *address(T &of)
{
	return &of;
}

template <typename T> struct Holder {
	T held;
};
typedef Holder<int> Held;

struct Keeper : Held {
	int kept;
};

__attribute__((noinline)) int renamed(int n)
{
	Keeper keeper;
	keeper.held = n;
	keeper.kept = n + 1;
	return keeper.held + keeper.kept;
}

struct Once {
	int number;
	bool built;
	Once() : number(1), built(true) {}
	static Once &get()
	{
		static Once once;
		static int calls = 5;
		once.number += ++calls;
		return once;
	}
};

int main(int argc, char **)
{
	Bottom local;
	int pair[2] = {argc, 2};
	unsigned char bytes[4] = {0x4c, 0x5a, (unsigned char)argc, 0x50};
	local.bottom += argc;
	auto run = []<typename T>(T number) -> Task {
		std::printf("%d\n", (int)number);
		co_return;
	};
	Task task = run(argc);
	task.handle.resume();
	task.handle.destroy();
	std::printf("%d\n", local.bottom + global.root + other(bytes) + Left::limit + (int)Left::total + magic[argc] +
				    (*address(pair))[1] + renamed(argc) + Once::get().number + Sized<char[]>::unknown);
	return 0;
}
