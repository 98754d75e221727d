/* code_data.c - a variable in the midst of the code: breakpoints must not show in it.
 * end: main returned; exited with status 0
 * functions: main before after
 */
int before(int x);
int after(int x);

__attribute__((noinline)) int before(int x)
{
	return x + 1;
}

/* `#` turns what the compiler appends (flags of a data section) into a comment. */
const unsigned char table[5] __attribute__((section(".text#"))) = {0x90, 0xc3, 0xeb, 0xfe, 0x75};

__attribute__((noinline)) int after(int x)
{
	return x + 2; /* who reads the code itself sees them */
}

int main(void)
{
	return before(1) + after(1) != 5;
}
