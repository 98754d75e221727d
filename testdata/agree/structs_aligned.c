struct a { char c; _Alignas(16) int i; char d; } g = {1, 2, 3};
int main(void)
{
	struct a l[2] = {g, {4, 5, 6}};
	l[1].i += l[0].i;
	g = l[1];
	return g.i != 7;
}
