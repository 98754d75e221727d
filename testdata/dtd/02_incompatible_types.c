/* DTD bug 2: clang -O1 describes `low` by operators on values of different types: what DW_OP_convert
 * gave a type is shifted by a literal of the generic type. gdb refuses; lldb 15 makes something of it. */
static volatile int sink;
static int sum;

__attribute__((noinline)) static void keep(int value)
{
	sink = value;
}

__attribute__((noinline)) static int narrow(int number)
{
	short low = (short)((short)number << 8) >> 8;
	keep(number);
	return number + 1;
}

int main(void)
{
	sum = narrow(200) + narrow(-3);
	return 0;
}
