/* SI, for xstep check opt: gcc 12 at -O2 makes one block of two with the same code, and shows the
 * variable of the one that is never executed; not so at -O1. Generated code may well have one line twice.
 * end: main returned; exited with status 0
 * functions: main
 */
volatile int input = 3, sink;

int main(void)
{
	int number = input;
	if (number > 100) {
		int little = number * 3;
#line 50
		sink = number;
		sink = number + 1;
	} else {
		int big = number * 2;
#line 50
		sink = number;
		sink = number + 1;
	}
	return 0;
}
