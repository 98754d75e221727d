/* DTD bug 1 (clang 61924): clang -O1 keeps only the byte of `shared` that is used, and describes the object of
 * eight bytes by one piece of one byte. */
static volatile int source = 3;
static union {
	short half;
	unsigned char low;
	int word;
	long all;
} shared = {0x0fff};

__attribute__((noinline)) static void put(void)
{
	char *at = (char *)&shared;
	*at = (char)source;
}

int main(void)
{
	put();
	char *at = (char *)&shared;
	return *at - 3;
}
