/* A shared object that tool_loader.c loads: code that runs as soon as it is loaded, when it is
 * called, calls back, and runs when it is unloaded. Built with -DOTHER it is another one, whose
 * code is not the same. */
static int loads;

__attribute__((constructor)) static void begin(void)
{
	for (int i = 0; i < 3; i++)
		loads++;
}

__attribute__((destructor)) static void end(void)
{
	loads = 0;
}

int work(int rounds, int (*back)(int))
{
	int sum = loads;
	for (int i = 0; i < rounds; i++) {
		if (i % 3 == 1)
			sum += back(i);
		else
			sum += i;
#ifdef OTHER
		sum ^= i << 1;
#endif
	}
	return sum;
}
