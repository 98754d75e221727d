struct __attribute__((packed)) p { char c; int i; short s; long l; } g = {1, 2, 3, 4};
int main(void)
{
	struct p l = g;
	l.i = -5;
	l.l = l.i * 2L;
	g = l;
	return g.l != -10;
}
