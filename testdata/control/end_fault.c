/* A fault at an instruction of its own: the last stop is that instruction.
 * end: killed by SIGSEGV (Segmentation fault)
 * functions: main touch
 */
__attribute__((noinline)) static int touch(volatile int *where)
{
	return *where;
}

int main(void)
{
	return touch((volatile int *)8);
}
