/* For xstep diff --report: by clang -O1 `i` is worked out by DW_OP_div, which is signed; lldb 15 divides
 * unsigned. The first arrival at the line of `extra` is in a later round: a breakpoint there shows it. */
static volatile unsigned long count, extra;

int main(void)
{
	for (unsigned i = 0; i != 10; i++) {
		if (++count == 4)
			++extra;
	}
	return 0;
}
