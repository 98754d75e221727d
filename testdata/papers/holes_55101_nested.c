/* Conjectures, appendix (llvm 55101), C1: counted up in the outer loop, passed in the inner one. */
void opaque(int, ...);
short stop[10];
static int work(void)
{
	int outer = 0, inner;
	short value = 3;
	for (; outer <= 9; outer++) {
		inner = 0;
		for (; inner < 5; inner++)
			opaque(2, value, inner); /* @call */
		++value;
		if (stop[outer])
			break;
	}
	return 0;
}
int main(void)
{
	work();
}
