/* The second byte of a number, by gcc -O1: `movzbl %bh, %edi`. The call site says that the parameter is
 * RBX << -8, which is nothing at all: E1 wrong-call-value. */
static volatile int sink;

__attribute__((noipa)) static void take(unsigned char byte)
{
	sink += byte;
}

__attribute__((noipa)) static void bytes(unsigned long number)
{
	take(number & 0xff);
	take(number >> 8 & 0xff);
	take(number >> 16 & 0xff);
}

int main(void)
{
	bytes(0x123456);
	return sink == 0x12 + 0x34 + 0x56 ? 0 : 1;
}
