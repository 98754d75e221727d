/* Branches that keep going one way, and in the end go the other, to code that was
 * seen before: only the branch itself can tell.
 * end: main returned; exited with status 42
 * functions: main jumps goes_on
 */
#ifndef ROUNDS
#define ROUNDS 700
#endif

/* The rare way is the jump. */
static unsigned jumps(unsigned rounds, unsigned rare)
{
	unsigned sum = 0;
	for (int pass = 0; pass < 2; pass++) {
		if (!pass)
			goto seen;
		for (unsigned i = 0; i < rounds; i++) {
			sum += i & 3;
			if (i == rare)
				goto seen;
			sum ^= 1;
		}
		continue;
	seen:
		sum += 5;
	}
	return sum;
}

/* The rare way is straight on: out of a loop, to where a break has led before. */
static unsigned goes_on(unsigned rounds)
{
	unsigned sum = 0;
	for (int pass = 0; pass < 2; pass++) {
		unsigned i = 0;
		do {
			sum += i;
			if (!pass && i == 3)
				break;
		} while (++i < rounds);
		sum &= 0xffff;
	}
	return sum;
}

int main(void)
{
	volatile unsigned rounds = ROUNDS;
	unsigned sum = jumps(rounds, rounds - 1) + jumps(rounds, rounds);
	return sum + goes_on(rounds) ? 42 : 0;
}
