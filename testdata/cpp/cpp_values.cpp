/* The values that C++ has and C has not: base classes, virtual ones too, references, captures,
 * pointers to members, bit-fields, anonymous unions, names in namespaces and templates. main() ends
 * with a line that says what it is; at it, cli/language_test.py expects these leaves of main, and
 * expects that the debuggers say the same.
 *
 * leaf: box.Base.id 1
 * leaf: box.w 3
 * leaf: wide.h 2
 * leaf: both.Left.l 7
 * leaf: both.Right.r 8
 * leaf: both.b 9
 * leaf: flags.a 5
 * leaf: flags.b -3
 * leaf: flags.x 65
 * leaf: bits.i 1065353216
 * leaf: member 8
 * leaf: color 2
 * leaf: sum 20 */
#include <cstdio>

namespace shapes {
enum class Color : unsigned char { Red = 1, Green };
struct Base {
	int id = 1;
	virtual ~Base() {}
	virtual double area() const = 0;
	static int made;
};
int Base::made = 0;
template <typename T> struct Box : Base {
	T w, h;
	Box(T a, T b) : w(a), h(b) { made++; }
	double area() const override { return w * h; }
};
} // namespace shapes

struct Named {
	const char *name;
	explicit Named(const char *n) : name(n) {}
};
struct Left : virtual Named {
	int l = 7;
	Left() : Named("left") {}
};
struct Right : virtual Named {
	int r = 8;
	Right() : Named("right") {}
};
struct Both : Left, Right {
	int b = 9;
	Both() : Named("both") {}
};
int total = 1;

union Bits {
	int i;
	float f;
};
struct Flags {
	unsigned a : 3;
	int b : 5;
	union {
		int x;
		char y;
	};
};

namespace {
int operator/(const Flags &flags, int by)
{
	return (int)flags.a / by;
}
} // namespace

int main()
{
	shapes::Box<int> box(3, 4);
	shapes::Box<double> wide(1.5, 2);
	Both both;
	Flags flags{};
	Bits bits;
	int by = 4;
	auto add = [by](int to) { return to + by; };
	int shapes::Base::*member = &shapes::Base::id;
	shapes::Color color = shapes::Color::Green;
	flags.a = 5;
	flags.b = -3;
	flags.x = 65;
	bits.f = 1;
	const shapes::Base &base = box;
	int sum = add(both.b) + flags / 2 + box.*member + (int)base.area() % 7;
	sum += both.l - 6 - shapes::Base::made + (int)color - 2 + 0 * (int)wide.w + 0 * bits.i;
	total += sum;
	std::printf("%d\n", sum); /* end */
	return 0;
}
