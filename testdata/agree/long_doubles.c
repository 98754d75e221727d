long double sum = 0.1L;
static long double half(long double v) { return v / 2; }
int main(void)
{
	long double x = 1e100L, y = -0.0L;
	sum += half(x);
	y = half(sum) - x;
	return y > 0;
}
