typedef unsigned long word; typedef word pair[2]; typedef struct { pair p; word n; } box;
static box b = {{1, 2}, 3};
int main(void)
{
	pair mine = {4, 5};
	box copy = b;
	copy.p[1] = mine[0];
	b.n += copy.p[1];
	return b.n != 7;
}
