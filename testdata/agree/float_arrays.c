double grid[2][3] = {{1.5, -2.25, 0.1}, {1e10, 1e-10, 3}};
int main(void)
{
	float row[3] = {0.5f, 0.25f, 0.125f};
	for (int i = 0; i < 3; i++)
		grid[1][i] += row[i];
	return grid[1][0] < 0;
}
