char plain = 'a'; signed char low = -128; unsigned char high = 255;
int main(void)
{
	char text[4] = {'x', '\n', '\\', 0};
	text[1] = plain;
	low++;
	high -= 5;
	plain = (char)(text[0] + 1);
	return plain - 'y';
}
