static int *counter(void) { static int n[2] = {5, 6}; n[0]++; return n; }
static const char *pick(int i) { static const char *const names[] = {"zero", "one"}; return names[i]; }
int main(void)
{
	int a = *counter() + *counter();
	static double mean;
	mean = a / 2.0;
	return pick(1)[0] != 'o' || mean != 6.5;
}
