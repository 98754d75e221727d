/* clang 13, 32-bit: room for the result of a call is made in one step, with debug information in two.
 * build: -m32
 * expect: operand at -O1 */
struct matrix {
	double cell[4][8];
};

struct matrix here, there;

__attribute__((noinline)) struct matrix copy(void)
{
	return there;
}

void take(void)
{
	here = copy();
}
