/* lldb does not move an address of .debug_addr to where the program was loaded.
 *
 * wrong:     lldb
 * rule:      G5 lie lldb:unrelocated
 * basis:     replayed
 * build:     gcc-12 -g -O1 -gsplit-dwarf -o lldb_unrelocated lldb_unrelocated.c
 * xstep:     xstep diff lldb_unrelocated
 * $ lldb-15 -x -b -o 'breakpoint set -n other' -o run -o up -o 'frame variable text' lldb_unrelocated
 * > (const char *) text = 0x0000000000002004 ""
 * $ gdb -nx -q -batch -ex 'break other' -ex run -ex up -ex 'print text' lldb_unrelocated
 * > $1 = 0x555555556004 "text"
 * actual:    0x2004, the string's address in the file.
 * expected:  0x555555556004. `text` is what it was at entry, and the call site says DW_OP_addrx:
 *            that is an address of the program as it was loaded (DWARF 5, 2.5.1.1).
 * versions:  lldb 15.0.6: so; the program by gcc 12.2.
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
