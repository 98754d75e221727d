static int sum(int n)
{
	int total = 0;
	{
		int room[n];
		for (int i = 0; i < n; i++)
			room[i] = i;
		for (int i = 0; i < n; i++)
			total += room[i];
	}
	return total;
}
int main(void)
{
	return sum(3) - 3;
}
