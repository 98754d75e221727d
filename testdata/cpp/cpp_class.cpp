/* Subject of cli/cpp_test.py.
 * build: -std=c++17
 *
 * Classes: `this`, base classes, virtual ones by their offset expressions, virtual functions, dynamic types,
 * pointers to members, objects that are being built and taken down. */
#include "cpp_say.h"

struct Root {
	int root = 11;
	virtual ~Root() {}
	virtual int value() const { return root; }
};
struct Left : virtual Root {
	int left = 22;
	Left() { build(); }
	__attribute__((noinline)) void build()
	{
		left += 1;
		say("this->left", left);
		say("this->root", root);
		say("this", this);
		stop();
	}
	int value() const override { return left; }
};
struct Right : virtual Root {
	short right = 33;
	int value() const override { return right; }
};
struct Bottom : Left, Right {
	char bottom = 44;
	~Bottom() override
	{
		bottom = 7;
		say("this->bottom", (int)bottom);
		say("this->right", (int)right);
		stop();
	}
	__attribute__((noinline)) int value() const override
	{
		int sum = left + right + bottom + root;
		say("this->bottom", (int)bottom);
		say("this->left", left);
		say("this->right", (int)right);
		say("this->root", root);
		say("(*this).root", root);
		say("sum", sum);
		say("this", this);
		stop();
		return sum;
	}
};

struct Twice {
	int n;
};
struct One : Twice {
	int one;
};
struct Two : Twice {
	int two;
};
struct Empty {};
struct Many : Empty, One, Two {
	int many;
	int take(int by) { return many * by; }
	virtual int give(int by) { return many + by; }
};

namespace hidden {
class Secret {
	int secret;
	static int kept;

public:
	explicit Secret(int n) : secret(n) {}
	__attribute__((noinline)) int tell(int by)
	{
		auto add = [this, by](int more) {
			int sum = secret + by + more;
			say("sum", sum);
			say("more", more);
			say("by", by);
			stop();
			return sum;
		};
		kept += by;
		say("this->secret", secret);
		say("Secret::kept", kept);
		say("by", by);
		stop();
		return add(3) + kept;
	}
	friend int operator+(const Secret &a, const Secret &b);
};
int Secret::kept = 5;
__attribute__((noinline)) int operator+(const Secret &a, const Secret &b)
{
	int sum = a.secret + b.secret;
	say("a.secret", a.secret);
	say("b.secret", b.secret);
	say("sum", sum);
	stop();
	return sum;
}
} // namespace hidden

__attribute__((noinline)) int shapes(Root *object, Right &right, Many *many)
{
	int Many::*data = &Many::many;
	int (Many::*method)(int) = &Many::take;
	int (Many::*none)(int) = nullptr;
	int Many::*nothing = nullptr;
	int got = object->value() + many->*data + (many->*method)(2);
	say("object", object);
	say("object->root", object->root);
	say("right.right", (int)right.right);
	say("right.root", right.root);
	say("many->One.n", many->One::n);
	say("many->Two.n", many->Two::n);
	say("many->one", many->one);
	say("many->two", many->two);
	say("many->many", many->many);
	say("data", (long)(reinterpret_cast<char *>(&(many->*data)) - reinterpret_cast<char *>(many)));
	say("nothing", -1);
	say("got", got);
	stop();
	return got + (none == nullptr) + (nothing == nullptr);
}

int main(int argc, char **)
{
	Many many;
	many.One::n = argc;
	many.Two::n = argc + 1;
	many.one = 5;
	many.two = 6;
	many.many = argc + 9;
	int sum;
	{
		Bottom bottom;
		sum = shapes(&bottom, bottom, &many);
		say("bottom.left", bottom.left);
		say("bottom.root", bottom.root);
		say("bottom.right", (int)bottom.right);
		say("bottom.bottom", (int)bottom.bottom);
		say("many.Two.n", many.Two::n);
		stop();
	}
	hidden::Secret one(argc), two(argc + 20);
	sum += one.tell(4) + (one + two) + many.give(1);
	std::printf("%d\n", sum);
	return 0;
}
