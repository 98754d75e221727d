/* Dfusor section 4.3 (llvm 49771): a test that is moved past debug information in a loop. */
int stop;
char turn, result;
short walk(void)
{
	{
		int unused;
again:;
		int going = turn != 7;
		if (!going)
			goto done;
		if (!stop)
			goto on;
		return stop;
on:		turn = turn + 1;
		goto again;
done:;
	}
	return result;
}
int main(void) { return 0; }
