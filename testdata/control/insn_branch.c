/* Branches of every kind, each worked out or left to the processor as it deserves: the loops, jrcxz
 * and jecxz, returns that pop arguments, a return used as a jump, jumps and calls through memory, a
 * prefixed return, a jump into the middle of another instruction, one to the byte behind a trap.
 * end: main returned; exited with status 0
 * functions: main loops returns indirect overlaps behind
 */
static long loops(void)
{
	long count = 0;
	__asm__ volatile("mov $5, %%ecx\n"
			 "1:\tinc %0\n\tloop 1b\n\t"
			 "mov $9, %%ecx\n"
			 "2:\tinc %0\n\tcmp $8, %0\n\tloopne 2b\n\t"
			 "mov $4, %%ecx\n"
			 "3:\tinc %0\n\tcmp %0, %0\n\tloope 3b\n\t"
			 "jrcxz 4f\n\tinc %0\n"
			 "4:\tjecxz 5f\n\tinc %0\n"
			 "5:"
			 : "+r"(count)
			 :
			 : "rcx", "cc");
	return count; /* 5 + 3 + 4 */
}

static long returns(void)
{
	long count = 0;
	__asm__ volatile("sub $128, %%rsp\n\t" /* the red zone is the compiler's */
			 "push %0\n\tpush %0\n\tcall 1f\n\tjmp 3f\n"
			 "1:\tinc %0\n\tlea 2f(%%rip), %%rax\n\tpush %%rax\n\tret\n"
			 "2:\tinc %0\n\tret $16\n"
			 "3:\tcall 4f\n\tjmp 5f\n"
			 "4:\tinc %0\n\trep ret\n"
			 "5:\tadd $128, %%rsp"
			 : "+r"(count)
			 :
			 : "rax", "cc", "memory");
	return count; /* 3 */
}

static long indirect(void)
{
	long count = 0;
	__asm__ volatile("sub $144, %%rsp\n\t"
			 "lea 1f(%%rip), %%rax\n\tmov %%rax, (%%rsp)\n\t"
			 "lea 2f(%%rip), %%rax\n\tmov %%rax, 8(%%rsp)\n\t"
			 "mov $1, %%edx\n\tjmp *(%%rsp)\n\tinc %0\n"
			 "1:\tinc %0\n\tcall *(%%rsp,%%rdx,8)\n\tjmp 3f\n"
			 "2:\tinc %0\n\tret\n"
			 "3:\tlea 4f(%%rip), %%rax\n\tjmp *%%rax\n\tinc %0\n"
			 "4:\tadd $144, %%rsp"
			 : "+r"(count)
			 :
			 : "rax", "rdx", "cc", "memory");
	return count; /* 2 */
}

/* eb ff is a jump to its own second byte, where ff c0 is inc eax. Then the other order: first into
 * the middle, and only then, in a block with a trap of its own, over the whole. */
static int overlaps(void)
{
	int count = 0;
	__asm__ volatile("mov $3, %%ecx\n"
			 "1:\t.byte 0xeb, 0xff, 0xc0\n\tdec %%ecx\n\tjnz 1b\n\t"
			 "mov $4, %%ecx\n\tjmp 2f + 1\n"
			 /* mov $0x00eb0274, %edx, or from its second byte on: je; jmp */
			 "2:\t.byte 0xba, 0x74, 0x02, 0xeb, 0x00\n\t"
			 "inc %%eax\n\tdec %%ecx\n\tjnz 2b"
			 : "+a"(count)
			 :
			 : "rcx", "rdx", "cc");
	return count; /* 3 + 4 */
}

/* A conditional jump to the byte behind a return, on which a trap has been by then. */
static long behind(void)
{
	long count = 0;
	__asm__ volatile("sub $128, %%rsp\n\tmov $3, %%ecx\n"
			 "1:\tcall 2f\n\tdec %%ecx\n\tjz 4f\n\ttest $1, %%cl\n\tjz 3f\n\tjmp 1b\n"
			 "2:\tinc %0\n\tret\n"
			 "3:\tadd $10, %0\n\tjmp 1b\n"
			 "4:\tadd $128, %%rsp"
			 : "+r"(count)
			 :
			 : "rcx", "cc", "memory");
	return count; /* 13 */
}

int main(void)
{
	return !(loops() == 12 && returns() == 3 && indirect() == 2 && overlaps() == 7 &&
		 behind() == 13);
}
