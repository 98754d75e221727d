static double mix(int a, double b, long c, float d, char e, double f, short g, float h, unsigned i, double j)
{
	double ints = a + c + e + g + i;
	return ints + b + d + f + h + j;
}
int main(void)
{
	double r = mix(1, 2.5, 3, 4.5f, 5, 6.5, 7, 8.5f, 9, 10.5);
	return r != 57.5;
}
