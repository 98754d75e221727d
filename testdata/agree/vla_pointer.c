static int trace(int n, int (*square)[n])
{
	int sum = 0;
	for (int i = 0; i < n; i++)
		sum += square[i][i];
	return sum;
}
int main(void)
{
	int square[2][2] = {{1, 2}, {3, 4}};
	return trace(2, square) - 5;
}
