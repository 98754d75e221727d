struct small { int a, b; }; struct mixed { double d; int i; }; struct large { long v[5]; };
static struct small swap(struct small s) { struct small r = {s.b, s.a}; return r; }
static struct mixed twice(struct mixed m) { m.d *= 2; m.i *= 2; return m; }
static struct large shift(struct large l) { for (int i = 0; i < 4; i++) l.v[i] = l.v[i + 1]; return l; }
int main(void)
{
	struct small s = swap((struct small){1, 2});
	struct mixed m = twice((struct mixed){1.5, 4});
	struct large l = shift((struct large){{1, 2, 3, 4, 5}});
	return s.a + m.i + (int)l.v[0] != 12;
}
