/* Conjectures, section 5.3 (gcc 105108), C2: a call of a function that returns 0 is folded, not inlined. */
int kept;
static int nothing(void) { return 0; }
int main(void)
{
	int four = 4, zero = nothing();
	kept = four + zero; /* @store */
}
