/* Conjectures, appendix (gcc 105007; gdb 28987), C1: the counter of an empty loop, passed after it. */
void opaque(int, ...);
void work(void)
{
	int five = 5, turn = 0;
	for (; turn < 8; turn++)
		;
	opaque(2, five, turn); /* @call */
}
int main(void)
{
	work();
}
