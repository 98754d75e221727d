int main(void)
{
	int n = 0, tries = 0;
again:
	n += 2;
	if (++tries < 3)
		goto again;
	if (n == 6)
		goto done;
	n = -1;
done:
	return n - 6;
}
