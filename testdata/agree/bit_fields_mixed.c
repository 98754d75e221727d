struct m { int whole; unsigned low : 4, high : 4; signed char tail; unsigned flag : 1; } g = {1, 2, 3, 4, 1};
int main(void)
{
	struct m l = g;
	l.high = 15;
	l.flag = 0;
	g.low = l.high;
	g.tail = -1;
	return g.low != 15;
}
