/* For xstep check twins, gcc-12 -O1 -fno-var-tracking-assignments: val is said to be in rbx behind the
 * instruction that shifts rbx, a lie. By default it is the value on entry.
 * end: main returned; exited with status 0
 * functions: main spread take */
unsigned long sink;

__attribute__((noinline, noclone)) void take(unsigned long byte)
{
	sink = (sink << 1) ^ byte;
}

__attribute__((noinline, noclone)) void spread(unsigned long val)
{
	take(val & 0xff);
	take((val >> 8) & 0xff);
	take((val >> 16) & 0xff);
	take(val >> 56);
}

int main(void)
{
	spread(0x1122334455667788);
	spread(0x8877665544332211);
	return sink == 0;
}
