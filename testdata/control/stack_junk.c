/* A local that is never written: what is there is what the loader left on the stack, which depends
 * on the clock and on the bytes of AT_RANDOM. Two runs of one debugger must not agree on it.
 * end: main returned; exited with status 0
 * functions: main */
int main(void)
{
	volatile long junk[1500], zero = 0;
	return (int)(junk[0] * zero);
}
