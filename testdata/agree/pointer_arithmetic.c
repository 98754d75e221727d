static int data[5] = {10, 20, 30, 40, 50};
int main(void)
{
	int *p = data, *end = data + 5;
	long sum = 0;
	while (p != end)
		sum += *p++;
	char *raw = (char *)data;
	raw[0] = 11;
	long distance = end - data;
	return sum != 150 || distance != 5 || data[0] != 11;
}
