int main(void)
{
	double d = 300.75;
	unsigned char c = (unsigned char)(int)d;
	short s = (short)0x12345;
	long l = -1;
	unsigned u = (unsigned)l;
	float f = (float)u;
	return c != 44 || s != 0x2345 || f < 4e9f;
}
