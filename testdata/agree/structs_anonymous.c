struct s { int a; struct { int b; union { int c; char d; }; }; } g = {1, {2, {3}}};
int main(void)
{
	struct s l = g;
	l.c = 0x41;
	l.b = l.d;
	g = l;
	return g.b != 0x41;
}
