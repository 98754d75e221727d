float f = 0.1f; double d = 1e300; long double x = 3.25L;
int main(void) { double t = d / 3; f *= 2; d = -t; x += 1; float n = f - 1; return n > 9; }
