/* For xstep check probes: notes that are written by hand, and not by a compiler, so that it is known which of them
 * lie. At -O0 x is in memory. Of what is asked, p2 lies, p3 names a variable that there is none of, and the
 * others are right. With -DTRUE_ONLY only these are there. */
#include <stdint.h>

/* A probe whose operands are said to be these. */
#define NOTE(provider, name, operands)                                                                                 \
	__asm__ volatile("990: nop\n"                                                                                  \
			 ".pushsection .note.stapsdt,\"\",\"note\"\n"                                                  \
			 ".balign 4\n"                                                                                 \
			 ".4byte 992f-991f, 994f-993f, 3\n"                                                            \
			 "991: .asciz \"stapsdt\"\n"                                                                   \
			 "992: .balign 4\n"                                                                            \
			 "993: .8byte 990b, 0, 0\n"                                                                    \
			 ".asciz \"" provider "\"\n"                                                                   \
			 ".asciz \"" name "\"\n"                                                                       \
			 ".asciz \"" operands "\"\n"                                                                   \
			 "994: .balign 4\n"                                                                            \
			 ".popsection" ::                                                                              \
				 : "memory")

__asm__(".pushsection .xstep.probes,\"\",@progbits\n"
	".ascii \"p3__1 main 999:gone\\n\"\n"
	".ascii \"p4__1__2 main 0:s.a 0:s.b[1]\\n\"\n"
	".ascii \"p5__x main 1:x\\np5__x main 2:x\\n\"\n"
	".ascii \"p13__1 main 999:x\\n\"\n"
	".ascii \"this line makes no sense\\n\"\n"
	".popsection");

volatile int sink;
static int counter = 5;

int main(void)
{
	int x = 7;
	struct {
		int a;
		char b[2];
	} s = {3, {4, -5}};
	float f = 1.5F;
	sink = x + s.a + s.b[1] + (int)f + counter;
	NOTE("xstep", "p1__x__f", "-4@$7 4f@$0x3fc00000");
#ifndef TRUE_ONLY
	NOTE("xstep", "p2__x", "-4@$8");
	NOTE("xstep", "p3__1", "-4@$7");
#endif
	NOTE("xstep", "p4__1__2", "-4@$3 -1@$-5");
	NOTE("xstep", "p5__x", "-4@$8");        /* the section says two things */
	NOTE("xstep", "p6__x", "-8@$8");        /* of another size */
	NOTE("xstep", "p7__f", "-4@$8");        /* of another type */
	NOTE("xstep", "p8__counter", "-4@$8");  /* no local */
	NOTE("xstep", "p9__x", "-4@%%fs:0");    /* cannot be read */
	NOTE("xstep", "p10__x__x", "-4@$8");    /* two names, one operand */
	NOTE("other", "p11__x", "-4@$8");       /* no names */
	NOTE("xstep", "p13__1", "-4@$8");       /* the section was made for another text of this source */
	for (int round = 0; round < 300; round++) {
		NOTE("xstep", "p12__x", "-4@$7");
		sink += round;
	}
	return 0;
}
