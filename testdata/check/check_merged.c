/* LI, for xstep check opt, at gcc 12 -O1 and above: two returns become one piece of code, which counts as the
 * line of the one that is not executed; its row is followed by another at the same address. At -O0 and by
 * clang 15 nothing of that.
 * end: main returned; exited with status 0
 * functions: main find
 */
int where = 3, hits;

__attribute__((noinline)) int *find(void)
{
	if (where)
		return &where;
	hits = 0;
	return &where;
}

int main(void)
{
	return *find() - 3;
}
