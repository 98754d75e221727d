/* For xstep check opt: a block that begins and ends on one line, by a macro. Unoptimised code is never in its
 * inner block when the line is stepped on, optimised code may be; SI is silent about it at every level.
 * end: main returned; exited with status 0
 * functions: main send
 */
#define SEND(value, length)                                                                                  \
	{                                                                                                    \
		int len = (length);                                                                          \
		if (valid > 16 - len) {                                                                      \
			int val = (int)(value);                                                              \
			buffer |= (unsigned short)(val << valid);                                            \
			out[count++ & 15] = (unsigned char)buffer;                                           \
			buffer = (unsigned short)(val >> (16 - valid));                                      \
			valid += len - 16;                                                                   \
		} else {                                                                                     \
			buffer |= (unsigned short)((value) << valid);                                        \
			valid += len;                                                                        \
		}                                                                                            \
	}

static unsigned char out[16];
static unsigned short buffer;
static int count, valid;

__attribute__((noinline)) static void send(int a, int b)
{
	SEND(a - 257, 5);
	SEND(b - 1, 5);
	SEND(a - b, 4);
}

int main(int argc, char **argv)
{
	(void)argv;
	send(argc + 260, argc);
	return count;
}
