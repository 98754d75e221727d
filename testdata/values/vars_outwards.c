/* vars_outwards.c - calls that wait while others run: what is said of their variables changes with what is
 * written into their frames, with memory that a call site reads, and with nothing else.
 * end: main returned; exited with status 0
 * functions: main outer inlined pass step leave
 */
struct box {
	long number;
	struct box *next;
};

static long total;
static struct box boxes[2] = {{3, boxes + 1}, {4, boxes}};

/* Writes to frames of others, and to what call sites read. */
__attribute__((noinline)) static long leave(long *local, struct box *box, int depth)
{
	*local += depth;
	box->number++;
	box->next->number += 2;
	total += box->number;
	return total;
}

/* Calls itself: frames of one function at several depths. */
__attribute__((noinline)) static long step(long *local, struct box *box, int depth)
{
	long own = depth * 2, result;
	if (depth > 2)
		return leave(local, box, depth);
	result = step(&own, box->next, depth + 1);
	result += leave(local, box, depth);
	return result + own;
}

/* Passes on what it was entered with, and keeps nothing of it. */
__attribute__((noinline)) static long pass(long first, struct box *box, long third)
{
	return step(&total, box, (int)first) + third;
}

static inline long inlined(struct box *box, long first)
{
	long twice = first * 2, here = box->number;
	long result = pass(first, box, box->number);
	return result + twice + here;
}

__attribute__((noinline)) static long outer(struct box *box, long first)
{
	long sum = inlined(box, first);
	sum += pass(first + 1, box->next, sum);
	return sum;
}

int main(void)
{
	struct box *volatile box = boxes;
	long a = outer(box, 0);
	long b = outer(box->next, 1);
	return a == b;
}
