// What C++ adds to types_all.c: classes, references, pointers to members.
// dwarf/leaf_test.c knows each value: change both.
struct Base {
	int x;
	static int shared;
};
int Base::shared = 1;

class Derived : public Base
{
      public:
	int y;
	static const int answer = 42;
	int method();
	Derived(int a, int b) : Base{a}, y(b)
	{
	}
};

struct Left {
	int left;
	constexpr Left() : left(1)
	{
	}
};

struct Both : Base, Left {
	int own;
	constexpr Both(int a, int b) : Base{a}, own(b)
	{
	}
};

struct Virtual : virtual Left {
	int own = 5;
};

enum class Colour : signed char { red = -1, green };
namespace space
{
struct Inside {
	int i;
};
} // namespace space

int v_target = 9;
int &v_reference = v_target;
int &&v_rvalue = static_cast<int &&>(v_target);
Both v_both(7, 8);
Both &v_both_reference = v_both;
int Base::*v_member = &Base::x;
int Base::*v_no_member = nullptr;
Colour v_colour = Colour::red;
decltype(nullptr) v_nullptr = nullptr;
space::Inside v_inside = {4};
bool v_true = true;
Virtual *v_virtual;
Derived *v_derived;

int Derived::method()
{
	return x + y;
}

int main()
{
	Virtual local_virtual;
	Derived local_derived(1, 2);
	v_virtual = &local_virtual;
	v_derived = &local_derived;
	return v_derived->method() - 3;
}
