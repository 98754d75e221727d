int main(void)
{
	int n = 10, steps = 0;
	do {
		n -= 3;
		steps++;
	} while (n > 0);
	while (1) {
		if (steps > 5)
			break;
		steps++;
		if (steps == 5)
			continue;
		n++;
	}
	return n != -1;
}
