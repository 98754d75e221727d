#define SWAP(type, a, b) do { type kept = a; a = b; b = kept; } while (0)
#define MAX(a, b) ((a) > (b) ? (a) : (b))
int main(void)
{
	int x = 1, y = 2;
	SWAP(int, x, y);
	double p = 0.5, q = 1.5;
	SWAP(double, p, q);
	return MAX(x, y) != 2 || p < q;
}
