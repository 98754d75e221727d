/* A loop that waits for a result, for xstep check opt: rounded up, 0.1 * 10 is never 1, and the loop would go on
 * forever. The run that rounds so is cut.
 * end: main returned; exited with status 0
 * functions: main
 */
volatile double tenth = 0.1, ten = 10;
volatile int sink;

int main(void)
{
	double a = 1;
	while (a * ten != 1.0) {
		sink++;
		a = tenth;
	}
	return 0;
}
