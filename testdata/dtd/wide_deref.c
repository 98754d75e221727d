/* clang 15 describes `number`, which is on the stack during the call, by DW_OP_deref_size 16. The operand
 * may be 8 at most. gdb refuses; lldb 15 shows 0. */
static volatile double sink;

__attribute__((noinline)) static void other(void)
{
	sink = 1.5;
}

__attribute__((noinline)) static double keep(double number)
{
	other();
	return number + sink;
}

int main(void)
{
	sink = 3.0;
	return keep(sink) != 4.5;
}
