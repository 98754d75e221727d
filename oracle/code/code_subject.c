/* code_subject.c - what code_test compares: compiled twice, once with OTHER, which changes the
 * order of everything and one number. */
#ifdef OTHER
static int second(int x);
static const char *const words[] = {"one", "two"};
static int counts[4];
#else
static int counts[4];
static int second(int x);
static const char *const words[] = {"one", "two"};
#endif

const char *first(int which)
{
	static int calls;
	counts[which & 3] = second(++calls);
	switch (which) {
	case 0:
		return words[counts[0] & 1];
	case 1:
		return "three";
	case 2:
		return "four";
	case 3:
		return words[0];
	case 4:
		return "five";
	default:
		return 0;
	}
}

static __attribute__((noinline)) int second(int x)
{
#ifdef OTHER
	return x * 12 + counts[x & 3];
#else
	return x * 11 + counts[x & 3];
#endif
}
