/* Conjectures, section 5.3 (gcc 105179), C1: passed twice in a loop; lost at the second call, at -Og. */
void opaque(int, ...);
volatile int turns = 3, seen;
__attribute__((noinline)) static void here(int value) { seen = value; }
int main(void)
{
	int value;
	for (; turns; turns--) {
		value = seen + 1;
		here(value);
		opaque(1, value); /* @call */
	}
}
