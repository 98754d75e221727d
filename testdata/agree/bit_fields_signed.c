struct s { int a : 2, b : 7, c : 12; } g = {-1, -60, 2000};
int main(void)
{
	struct s l = {1, 63, -2048};
	g.a = l.a;
	l.b = (int)(g.b + 1);
	g.c = l.c;
	return g.c != -2048;
}
