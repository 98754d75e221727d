struct w { unsigned long a : 33, b : 20, c : 11; } g = {1, 2, 3};
int main(void)
{
	struct w l = g;
	l.a = 1UL << 32;
	l.c = 2047;
	g.b = l.c;
	return g.b != 2047;
}
