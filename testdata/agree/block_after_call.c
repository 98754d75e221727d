/* A block begins where a call returns to. While the call lasts, the caller's pc is the block's first
 * address, and its variables are not yet in scope; afterwards the pc is the same, and they are. */
static int count;

static void step(void)
{
	count++;
}

int main(void)
{
	step();
	{
		static int inner[2] = {3, 4};
		step();
		inner[1] += count;
		count = inner[0] + inner[1];
	}
	return count == 9 ? 0 : 1;
}
