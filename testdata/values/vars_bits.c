/* vars_bits.c - bit-fields that change one by one, at file scope and in a frame: in their unit, and
 * packed so that they reach beyond it. lldb has no address for those at file scope, and reads the
 * packed ones at another place each time that it is asked for them.
 * end: main returned; exited with status 0
 * functions: main
 */
struct bits {
	signed a : 27;
	unsigned b : 20;
	signed c : 5;
	unsigned long d : 40;
};

struct __attribute__((packed)) packed {
	signed a : 27;
	unsigned b : 20;
	signed c : 15;
	unsigned d : 31; /* its 31 bits begin at bit 62 */
	unsigned long e : 50;
};

union both {
	struct packed packed;
	struct bits bits;
	unsigned low : 9;
};

struct bits plain = {1, 2, 3, 4};
static struct bits some[2];
struct packed tight;
union both either[2];

int main(void)
{
	struct packed mine = {0, 0, 0, 0, 0};
	for (unsigned i = 1; i < 4; i++) {
		plain.a += (int)i;
		plain.b ^= 7 * i;
		plain.c = (int)i;
		plain.d += 0x12345678;
		some[i % 2] = plain;
		tight.a = (int)i;
		tight.b = 0x7777 * i;
		tight.c = -(int)i;
		tight.d = 0x12345 * i;
		tight.e = 0x3333333333 * i;
		mine = tight;
		either[i % 2].packed = mine;
		either[0].low = i;
	}
	return mine.c == 0;
}
