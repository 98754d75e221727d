/* Subject of cli/cpp_test.py.
 * build: -std=c++17
 *
 * The standard library's objects as one writes them: operators [], * and -> of vector, string, string_view,
 * array, iterators, owning pointers and optional. */
#include <array>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cpp_say.h"

struct Point {
	int x, y;
};

namespace mine
{
template <typename T> struct vector {
	T items[2];
};
} // namespace mine

__attribute__((noinline)) int sequences(int n)
{
	std::vector<std::pair<int, double>> v = {{1, 1.5}, {2, 2.5}, {n, n * 0.25}};
	std::vector<std::unique_ptr<Point>> owned;
	owned.push_back(std::make_unique<Point>(Point{n + 1, 9}));
	const std::vector<std::pair<int, double>> &r = v;
	std::vector<bool> bits(5);
	std::array<short, 3> array = {(short)n, -1, 2};
	mine::vector<int> own = {{n, 2}};
	auto it = v.begin() + 1;
	say("v[2].first", v[2].first);
	say("v[1].second", v[1].second);
	say("r[0].first", r[0].first);
	say("owned[0]->x", owned[0]->x);
	say("array[1]", (int)array[1]);
	say("it->first", it->first);
	say("it[1].first", it[1].first);
	stop();
	asm volatile("" ::"r"(&own), "r"(&array), "r"(&it), "r"(&bits) : "memory");
	return v[0].first + owned[0]->y + own.items[0] + bits[1];
}

__attribute__((noinline)) int texts(int n)
{
	std::string small = "small", large(30 + n, 'x');
	std::string_view view(small.data() + 1, 3);
	say("view[2]", (int)view[2]);
	say("small[1]", (int)small[1]);
	say("small[5]", (int)small[5]);
	say("large[3]", (int)large[3]);
	stop();
	asm volatile("" ::"r"(&small), "r"(&large), "r"(&view) : "memory");
	return (int)(small.size() + large.size());
}

__attribute__((noinline)) int owners(int n)
{
	std::unique_ptr<Point> p = std::make_unique<Point>(Point{n, 5});
	std::unique_ptr<int[]> many(new int[3]{4, 5, n});
	std::shared_ptr<Point> shared = std::make_shared<Point>(Point{7, n});
	std::unique_ptr<int> one(new int(n + 3));
	std::optional<Point> some = Point{n, 8}, none;
	std::optional<int> number = n + 4;
	say("p->y", p->y);
	say("(*p).x", (*p).x);
	say("*one", *one);
	say("many[2]", many[2]);
	say("shared->y", shared->y);
	say("some->y", some->y);
	say("*number", *number);
	stop();
	asm volatile("" ::"r"(&p), "r"(&many), "r"(&shared), "r"(&some), "r"(&none), "r"(&number), "r"(&one)
		     : "memory");
	return p->x + many[0] + shared->x + some->x + *number + none.has_value() + *one;
}

int main(int argc, char **)
{
	std::printf("%d\n", sequences(argc + 6) + texts(argc) + owners(argc + 2));
	return 0;
}
