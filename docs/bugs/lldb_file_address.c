/* lldb 16 and later do not move an address that is a value to where the program was loaded.
 *
 * wrong:     lldb
 * rule:      G5 lie lldb:file-address
 * basis:     replayed
 * build:     gcc-12 -g -O1 -o lldb_file_address lldb_file_address.c
 * xstep:     xstep diff --witness xstep,gdb,lldb@lldb-19 lldb_file_address
 * $ lldb-19 -x -b -o 'breakpoint set -n other' -o run -o up -o 'frame variable text' lldb_file_address
 * > (const char *) text = 0x0000000000002004 ""
 * $ gdb -nx -q -batch -ex 'break other' -ex run -ex up -ex 'print text' lldb_file_address
 * > $1 = 0x555555556004 "text"
 * actual:    0x2004, the string's address in the file.
 * expected:  0x555555556004. `text` is what it was at entry, and the call site says DW_OP_addr: that
 *            is an address of the program as it was loaded (DWARF 5, 2.5.1.1). The same goes for
 *            DW_OP_addr, DW_OP_stack_value, and for a difference of such an address and another one.
 * versions:  lldb 16.0.6, 19.1.7: so; lldb 14.0.6, 15.0.6: right; the program by gcc 12.2.
 * known:     -
 */
static volatile int sink;

__attribute__((noinline)) static void other(void)
{
	sink++;
	__asm__ volatile("" : : : "rdi", "rsi", "rax", "rcx", "rdx");
}

__attribute__((noinline)) static int first(const char *text)
{
	sink = text[0];
	other();
	return sink;
}

int main(void)
{
	return first("text") == 0;
}
