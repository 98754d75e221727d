/* Subject of cli/cpp_test.py.
 * build: -std=c++17
 *
 * The standard library's objects as the plain members that they are: std::string, vector, map, optional,
 * variant, unique_ptr, shared_ptr, array, pair, function. */
#include <array>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "cpp_say.h"

struct Node {
	int value;
	std::unique_ptr<Node> next;
};

__attribute__((noinline)) int texts(int n)
{
	std::string small = "small", large(30 + n, 'x');
	say("small._M_dataplus._M_p", (const void *)small.data());
	say("small._M_string_length", small.size());
	say("small._M_local_buf[1]", (int)small[1]);
	say("large._M_string_length", large.size());
	say("large._M_allocated_capacity", large.capacity());
	say("large._M_dataplus._M_p[3]", (int)large[3]);
	stop();
	return (int)(small.size() + large.size());
}

__attribute__((noinline)) int containers(int n)
{
	std::vector<std::pair<int, double>> v = {{1, 1.5}, {2, 2.5}, {n, n * 0.25}};
	std::map<int, long> map = {{5, 50}, {n, 70}};
	std::array<short, 3> array = {(short)n, -1, 2};
	auto it = v.begin() + 1;
	std::pair<int, double> *first = v.data();
	say("v._M_impl._M_start", (const void *)v.data());
	say("v._M_impl._M_start[2].first", v[2].first);
	say("v._M_impl._M_start[2].second", v[2].second);
	say("v._M_impl._M_finish", (const void *)(v.data() + v.size()));
	say("it._M_current->first", it->first);
	say("first[2].first", first[2].first);
	say("map._M_t._M_impl._M_node_count", map.size());
	say("array._M_elems[1]", (int)array[1]);
	stop();
	asm volatile("" ::"r"(&array), "r"(&it) : "memory");
	return (int)(v.size() + map.size()) + array[0] + it->first + first->first;
}

__attribute__((noinline)) int choices(int n)
{
	std::optional<int> some = n, none;
	std::variant<int, double> variant = n * 0.5;
	std::unique_ptr<Node> list(new Node{n, std::unique_ptr<Node>(new Node{n + 1, nullptr})});
	std::shared_ptr<int> shared = std::make_shared<int>(n + 2);
	std::function<int(int)> function = [n](int to) { return to + n; };
	Node *raw = list.get();
	say("some._M_payload._M_engaged", (int)some.has_value());
	say("some._M_payload._M_payload._M_value", *some);
	say("none._M_payload._M_engaged", (int)none.has_value());
	say("variant._M_index", (int)variant.index());
	say("raw->value", raw->value);
	say("raw->next._M_t._M_t._Tuple_impl._Head_base._M_head_impl->value", raw->next->value);
	say("*shared._M_ptr", *shared);
	stop();
	return *some + list->next->value + *shared + function(1) + (int)std::get<double>(variant) + raw->value +
	       none.value_or(3);
}

int main(int argc, char **)
{
	int sum = texts(argc) + containers(argc + 6) + choices(argc + 2);
	std::printf("%d\n", sum);
	return 0;
}
