/* Subject of cli/cpp_test.py.
 * build: -std=c++17
 *
 * Values that C++ has and C has not, one by one: references and rvalue references, nullptr, auto, enum
 * class, bit-fields, unions, anonymous unions, constexpr, static members, inline namespaces, thread_local. */
#include <utility>

#include "cpp_say.h"

enum class Color : unsigned char { Red = 1, Green = 200 };
enum class Wide : long { Low = -5000000000, High = 5000000000 };
enum Old { First = -1, Second };

namespace outer {
inline namespace v2 {
int counter = 41;
struct Point {
	int x, y;
};
} // namespace v2
namespace {
short hidden = -7;
}
} // namespace outer

struct Counted {
	static int made;
	static constexpr int limit = 12;
	static inline long total = 99;
	int own;
	explicit Counted(int n) : own(n) { made += n; }
};
int Counted::made = 3;

constexpr int square(int n)
{
	return n * n;
}
constexpr int nine = square(3);

struct Packed {
	bool yes : 1;
	Color color : 8;
	signed int low : 5;
	unsigned long big : 40;
	int : 0;
	unsigned char last : 2;
};
union Either {
	int whole;
	unsigned char bytes[4];
	float real;
};
struct Holder {
	int kind;
	union {
		long number;
		struct {
			short left, right;
		} pair;
	};
	union {
		char letter;
		unsigned char code;
	};
};

thread_local int mine = 17;
static thread_local outer::Point corner = {3, 4};

__attribute__((noinline)) int references(int &by, const outer::Point &point, int &&moved, int *const &pointer)
{
	int &alias = by;
	const int &bound = 77;
	auto &&forwarded = std::move(moved);
	alias += 2;
	forwarded += 1;
	say("*by", by);
	say("*alias", alias);
	say("*bound", bound);
	say("point.x", point.x);
	say("point.y", point.y);
	say("*moved", moved);
	say("*forwarded", forwarded);
	say("alias", &alias);
	say("by", &by);
	say("moved", &moved);
	say("*pointer", *pointer);
	stop();
	return by + point.x + moved + forwarded + *pointer + bound;
}

__attribute__((noinline)) int scalars(int n)
{
	Color color = n > 4 ? Color::Green : Color::Red;
	Wide low = Wide::Low, high = Wide::High;
	Old old = n ? First : Second;
	std::nullptr_t none = nullptr;
	auto number = n * 1.5;
	auto wide = 1ll * n * 1000000000000;
	char16_t sixteen = u'\u20ac';
	char32_t thirtytwo = U'\U0001f600';
	wchar_t letter = L'\u00e9';
	bool yes = n == 5;
	const char *word = n == 5 ? "five" : "other";
	constexpr int local = square(4);
	static int calls = 10;
	calls += n;
	say("color", (int)color);
	say("low", (long)low);
	say("high", (long)high);
	say("old", (int)old);
	say("none", none);
	say("number", number);
	say("wide", wide);
	say("sixteen", (int)sixteen);
	say("thirtytwo", (int)thirtytwo);
	say("letter", (int)letter);
	say("yes", (int)yes);
	say("word", (const void *)word);
	say("word[1]", (int)word[1]);
	say("local", local);
	say("calls", calls);
	say("n", n);
	stop();
	return (int)color + (int)number + (int)wide + yes + calls + (none == nullptr) + (int)letter + (int)old +
	       (int)(long)low + (int)(long)high + sixteen + (int)thirtytwo + word[0];
}

__attribute__((noinline)) int members(int n)
{
	Packed packed = {n == 5, Color::Green, -3, 0xabcdef0123, 2};
	Either either;
	Holder holder;
	outer::Point point = {n, -n};
	Counted counted(n);
	either.real = 1;
	holder.kind = n;
	holder.number = 0;
	holder.pair.left = -2;
	holder.pair.right = 9;
	holder.letter = 'q';
	say("packed.yes", (int)packed.yes);
	say("packed.color", (int)packed.color);
	say("packed.low", (int)packed.low);
	say("packed.big", (unsigned long)packed.big);
	say("packed.last", (int)packed.last);
	say("either.whole", either.whole);
	say("either.bytes[3]", (int)either.bytes[3]);
	say("either.real", either.real);
	say("holder.kind", holder.kind);
	say("holder.number", holder.number);
	say("holder.pair.left", (int)holder.pair.left);
	say("holder.pair.right", (int)holder.pair.right);
	say("holder.letter", (int)holder.letter);
	say("holder.code", (int)holder.code);
	say("point.x", point.x);
	say("point.y", point.y);
	say("counted.own", counted.own);
	say("Counted::made", Counted::made);
	say("Counted::total", Counted::total);
	say("Counted::limit", Counted::limit);
	say("outer::v2::counter", outer::counter);
	say("outer::counter", outer::counter);
	say("nine", nine);
	say("mine", mine);
	say("corner.y", corner.y);
	stop();
	asm volatile("" ::"r"(&packed), "r"(&either), "r"(&holder), "r"(&point), "r"(&counted) : "memory");
	return packed.low + either.whole + holder.kind + point.x + counted.own + outer::hidden;
}

int main(int argc, char **)
{
	int n = argc + 4, moved = 30, pointed = 8;
	outer::Point point = {n, 2 * n};
	mine += argc;
	corner.x += argc;
	int sum = references(n, point, std::move(moved), &pointed) + scalars(argc + 4) + members(argc + 4);
	std::printf("%d\n", sum);
	return 0;
}
