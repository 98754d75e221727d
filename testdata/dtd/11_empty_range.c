/* DTD bug 11: by gcc -O1 the ranges of the inlined call begin with an empty one, and so do those of the
 * block inside it. lldb 15 adds that of the block to the end of the call's, which it then searches by
 * halves: it does not get from the call to main. Its backtrace has no frame of the call, and
 * `frame variable` has nothing of main. */
static unsigned table[4];

static void fill(void)
{
	const unsigned poly = 0xedb88320;
	for (int i = 0; i < 4; i++) {
		unsigned crc = (unsigned)i;
		for (int j = 3; j > 0; j--)
			crc = crc & 1 ? crc >> 1 ^ poly : crc >> 1;
		table[i] = crc;
	}
}

int main(int argc, char **argv)
{
	int print = 0;
	(void)argv;
	fill();
	return print + (int)(table[argc] & 1);
}
