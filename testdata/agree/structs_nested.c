struct a { struct b { struct c { int x, y; } c; short s; } b[2]; char t; };
static struct a g = {{{{1, 2}, 3}, {{4, 5}, 6}}, 'z'};
int main(void)
{
	struct a l = g;
	l.b[1].c.y = l.b[0].c.x;
	g.b[0] = l.b[1];
	return g.b[0].c.y != 1;
}
