/* Conjectures, appendix (llvm 51780), C1: assigned from a global variable, and passed. */
void opaque(int, ...);
int kept = 6;
static void work(void)
{
	int value = kept;
	kept = 2;
	opaque(1, value); /* @call */
}
int main(void)
{
	work();
}
