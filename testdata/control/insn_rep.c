/* A repeated string instruction is one stop, however often it repeats; a jump to itself is a
 * transition each time (here `loop` to its own address).
 * end: main returned; exited with status 72
 * functions: main
 */
int main(void)
{
	static char from[64] = "H", to[64];
	char *source = from, *target = to;
	unsigned long count = 64;
	__asm__ volatile("rep movsb" : "+S"(source), "+D"(target), "+c"(count) : : "memory");
	target = to + 1;
	count = 0; /* repeats not at all */
	__asm__ volatile("rep stosb" : "+D"(target), "+c"(count) : "a"(1) : "memory");
	count = 5;
	__asm__ volatile("1: loop 1b" : "+c"(count));
	return to[0] + to[1];
}
