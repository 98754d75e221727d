float tiny = 1e-44f, huge = 3.4e38f, zero = -0.0f; double least = 5e-324;
int main(void)
{
	double inf = 1 / (double)zero;
	float f = tiny * 2;
	least *= 3;
	huge = -huge;
	return f > huge ? inf > 0 : 0;
}
