/* Conjectures, appendix (gcc 105389), C3: set through a pointer in a loop; at -Og shown after the loop only. */
int down;
char times;
void work(void)
{
	int value = 5;
	int *place = &value;
again:	times++; /* @before */
	for (;
	     down != -8;
	     --down)
		*place = 0;
	if (times) /* @after */
		goto again;
}
int main(void)
{
	times = -3;
	work();
}
