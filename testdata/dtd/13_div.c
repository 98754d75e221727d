/* DTD bug 13: by clang -O1 `i` is worked out by DW_OP_div, which is signed; lldb 15 divides unsigned,
 * and shows 0 from the third round on. */
static volatile unsigned long count;

int main(void)
{
	for (unsigned i = 0; i != 10; i++)
		++count;
	return 0;
}
