__int128 big = 1; unsigned __int128 ubig = 7;
int main(void)
{
	__int128 mine = -3;
	big <<= 100;
	ubig = ~ubig;
	mine *= big;
	return mine > 0;
}
