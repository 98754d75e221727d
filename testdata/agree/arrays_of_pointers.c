static int x = 1, y = 2;
int main(void)
{
	int *both[2] = {&x, &y};
	const char *names[3] = {"one", "two", 0};
	int **at = both;
	*at[1] += *both[0];
	names[2] = names[0] + 1;
	return y != 3 || names[2][0] != 'n';
}
