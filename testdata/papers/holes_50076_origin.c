/* Conjectures, section 5.3 (lldb 50076, found with llvm 49973), C1: a constant whose value is in the abstract
 * entry of an inlined function alone. */
void opaque(int, ...);
int turn;
static void work(void)
{
	int three = 3;
	for (turn = 0; turn < 2; turn++)
		opaque(1, three); /* @call */
}
int main(void)
{
	work();
}
