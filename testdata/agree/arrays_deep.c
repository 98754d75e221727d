short cube[2][2][3];
int main(void)
{
	int n = 0;
	for (int i = 0; i < 2; i++)
		for (int j = 0; j < 2; j++)
			for (int k = 0; k < 3; k++)
				cube[i][j][k] = (short)n++;
	return cube[1][1][2] - 11;
}
