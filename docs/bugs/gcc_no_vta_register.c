/* gcc -fno-var-tracking-assignments says that a parameter is in a register that was changed.
 *
 * wrong:     gcc
 * rule:      T1 lie producer:contradiction
 * basis:     evidence
 * build:     gcc-12 -g -O1 -fno-var-tracking-assignments -o gcc_no_vta_register.other
 *            gcc_no_vta_register.c
 * build:     gcc-12 -g -O1 -o gcc_no_vta_register gcc_no_vta_register.c
 * xstep:     xstep check twins --source gcc_no_vta_register.c gcc_no_vta_register
 *            gcc_no_vta_register.other
 * $ gdb -nx -q -batch -ex 'break *spread+8' -ex run -ex 'print val' gcc_no_vta_register.other
 * > $1 = 136
 * $ gdb -nx -q -batch -ex 'break *spread+8' -ex run -ex 'print val' gcc_no_vta_register
 * > $1 = 1234605616436508552
 * $ objdump -d --no-show-raw-insn gcc_no_vta_register
 * > movzbl %dil,%edi
 * actual:    Behind `movzbl %dil,%edi` the parameter `val` is still said to be in rdi: 136.
 * expected:  1234605616436508552, which is 0x1122334455667788: spread() never writes it. By
 *            default gcc says rbx there.
 * versions:  gcc 11.3, 12.2: so.
 * known:     -
 */
unsigned long sink;

__attribute__((noinline, noclone)) void take(unsigned long byte)
{
	sink = (sink << 1) ^ byte;
}

__attribute__((noinline, noclone)) void spread(unsigned long val)
{
	take(val & 0xff);
	take((val >> 8) & 0xff);
	take((val >> 16) & 0xff);
	take(val >> 56);
}

int main(void)
{
	spread(0x1122334455667788);
	spread(0x8877665544332211);
	return sink == 0;
}
