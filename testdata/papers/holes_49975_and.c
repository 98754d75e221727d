/* Conjectures, section 3.2 (llvm 49975), C1: what is assigned within `(...) == 0 & other` is lost. */
void opaque(int, ...);
static short start = 4;
void work(int other)
{
	short one = 0;
	int two, three = 2, four = 9, five = 5,
	    six = 5, seven = (two = start) == 0 & other;
	opaque(7, one, two, three, four, five, six, seven); /* @call */
}
int main(void)
{
	work(start);
	start = 0;
}
