/* Subject of cli/cpp_test.py.
 * build: -std=c++17
 *
 * Templates, value packs, lambdas with captures by value, by reference and of this, generic lambdas,
 * structured bindings of arrays, structs, tuples and references. */
#include <tuple>

#include "cpp_say.h"

namespace ns {
template <typename T, int N = 3> struct Box {
	T items[N];
	static int boxes;
	__attribute__((noinline)) T area(T by) const
	{
		T sum = by;
		for (int i = 0; i < N; i++)
			sum += items[i];
		say("sum", sum);
		say("by", by);
		say("this->items[1]", items[1]);
		say("this", this);
		stop();
		return sum;
	}
};
template <typename T, int N> int Box<T, N>::boxes = N;
template <> struct Box<char *, 1> {
	char *only;
};
} // namespace ns

template <typename... T> __attribute__((noinline)) int pack(int first, T... rest)
{
	int count = sizeof...(rest), sum = first + (0 + ... + (int)rest);
	say("first", first);
	say("count", count);
	say("sum", sum);
	stop();
	return sum;
}
template <int... N> __attribute__((noinline)) int values(int first)
{
	int array[] = {N..., first};
	say("array[0]", array[0]);
	say("array[2]", array[2]);
	say("first", first);
	stop();
	asm volatile("" ::"r"(array) : "memory");
	return array[1];
}
template <auto F, typename T> __attribute__((noinline)) T apply(T to)
{
	T result = F(to);
	say("to", to);
	say("result", result);
	stop();
	return result;
}
int twice(int n)
{
	return 2 * n;
}

struct Counter {
	int count = 6;
	__attribute__((noinline)) int run(int step)
	{
		int local = step * 2;
		auto all = [=, this]() __attribute__((noinline)) {
			count += step;
			say("this->count", count);
			say("step", step);
			say("local", local);
			stop();
			return count + local;
		};
		auto copy = [*this, &local]() mutable {
			count += 100;
			local += 1;
			say("*local", local);
			stop();
			return count + local;
		};
		return all() + copy();
	}
};

__attribute__((noinline)) int lambdas(int n)
{
	int kept = n + 1, changed = n + 2;
	auto by_value = [kept](int to) __attribute__((noinline)) {
		int sum = to + kept;
		say("kept", kept);
		say("to", to);
		say("sum", sum);
		stop();
		return sum;
	};
	auto by_reference = [&changed, extra = n * 10](auto to) __attribute__((noinline)) {
		changed += (int)to;
		say("*changed", changed);
		say("extra", extra);
		say("to", to);
		stop();
		return changed + extra;
	};
	int sum = by_value(3) + by_reference(4) + by_reference(2.5);
	say("kept", kept);
	say("changed", changed);
	say("sum", sum);
	stop();
	return sum;
}

struct Three {
	short a;
	int b;
	double c;
};
__attribute__((noinline)) int bindings(int n)
{
	int pair[2] = {n, n + 1};
	Three three = {(short)n, n * 2, n * 0.5};
	std::tuple<int, char, long> tuple{n * 3, 'z', -n};
	auto [left, right] = pair;
	auto &[a, b, c] = three;
	auto [x, y, z] = tuple;
	b += 1;
	say("left", left);
	say("right", right);
	say("a", (int)a);
	say("b", b);
	say("c", c);
	say("*x", x);
	say("*y", (int)y);
	say("*z", z);
	say("three.b", three.b);
	stop();
	asm volatile("" ::"r"(&three), "r"(pair), "r"(&tuple) : "memory");
	return left + right + a + b + (int)c + x + y + (int)z;
}

int main(int argc, char **)
{
	ns::Box<int> box{{argc, 2, 3}};
	ns::Box<double, 2> wide{{1.5, argc * 2.25}};
	Counter counter;
	int sum = box.area(4) + (int)wide.area(0.5) + pack(argc, 2, 'a', 4l) + pack(argc) + values<7, 8>(argc) +
		  apply<twice>(argc + 4) + counter.run(argc) + lambdas(argc) + bindings(argc + 6);
	say("box.items[0]", box.items[0]);
	say("wide.items[1]", wide.items[1]);
	say("counter.count", counter.count);
	say("sum", sum);
	say("ns::Box<int, 3>::boxes", ns::Box<int>::boxes);
	stop();
	std::printf("%d\n", sum);
	return 0;
}
