union u { int i; float f; unsigned char b[4]; struct { short lo, hi; } h; } g = {0x3f800000};
int main(void)
{
	union u l = g;
	l.b[0] = 1;
	l.h.hi = 2;
	g.f *= 2;
	return l.h.hi != 2;
}
