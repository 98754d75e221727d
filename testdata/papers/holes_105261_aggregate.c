/* Conjectures, appendix (gcc 105261; gdb 29060), C1: constants of a structure and of a block in a function
 * that is inlined. */
void opaque(int, ...);
struct pair { int left, right; };
static void work(int by)
{
	struct pair both = {1, 2};
	{
		int three = 3;
		if (by)
			opaque(3, both.left, both.right, three); /* @call */
	}
}
int main(void)
{
	work(1);
}
