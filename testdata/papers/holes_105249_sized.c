/* Conjectures, section 5.3 (gcc 105249), C2: at -Os the body of a loop counts as a function that is inlined
 * right after it, where the counter is not in scope. */
volatile int kept;
int table[2];
static int other;
static void after(void) { other = 0; }
int main(void)
{
	int turn = 0;
	for (; turn < 2; turn++)
		kept = table[turn]; /* @store */
	after();
}
