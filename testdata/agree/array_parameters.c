static int sum(int count, const int values[]) { int s = 0; while (count--) s += values[count]; return s; }
static void fill(int to[3], int with) { for (int i = 0; i < 3; i++) to[i] = with; }
int main(void)
{
	int v[3];
	fill(v, 4);
	return sum(3, v) - 12;
}
