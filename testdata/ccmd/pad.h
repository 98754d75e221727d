/* Put before a source, this shifts everything: offsets, the order of data, numbers of local names, labels. */
__attribute__((used)) static int pad_numbers[3] = {1, 2, 3};

__attribute__((used)) static const char *pad(int x)
{
	static int state;
	switch (x) {
	case 0:
		return "none";
	case 1:
		return "pad";
	case 2:
		pad_numbers[1]++;
		break;
	case 3:
		return "z";
	case 4:
		return "five";
	}
	return x > ++state ? "y" : 0;
}
