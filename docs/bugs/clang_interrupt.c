/* clang describes the pointer that an interrupt handler gets by what it points to.
 *
 * wrong:     clang
 * rule:      P1 lie producer:stale-memory
 * basis:     evidence
 * build:     clang-15 -g -O1 -mgeneral-regs-only -o clang_interrupt clang_interrupt.c
 * xstep:     xstep check probes clang_interrupt
 * $ gdb -nx -q -batch -ex 'break -probe-stap xstep:p1__frame' -ex run -ex 'print/x (long)frame' \
 *       clang_interrupt
 * > $1 = 0x111
 * $ readelf --debug-dump=info clang_interrupt
 * > DW_OP_fbreg
 * actual:    `frame` is 0x111, the word that it points to: its location is the place of the frame.
 * expected:  The address of that word, which the program stores in `sink`.
 * versions:  clang 15.0.6: so.
 * known:     -
 */
#include <stdlib.h>
#include <sys/sdt.h>

struct frame {
	unsigned long ip, cs, flags, sp, ss;
};

static struct frame *volatile sink;

__attribute__((interrupt, used)) void handler(struct frame *frame)
{
	DTRACE_PROBE1(xstep, p1__frame, frame);
	sink = frame;
	exit(frame->ip != 0x111);
}

int main(void)
{
	__asm__ volatile("push $5; push $4; push $3; push $2; push $0x111; jmp handler");
	return 0;
}
