typedef int four __attribute__((vector_size(16)));
four g = {1, 2, 3, 4};
int main(void)
{
	four l = g + g;
	g = l * 3;
	return g[3] - 24;
}
