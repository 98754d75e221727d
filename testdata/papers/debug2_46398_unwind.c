/* Debug² snippet 6 (lldb 46398), BI: a variable, which lies after the code that falls off its end, is taken
 * for a function in the backtrace. */
int last = 0, chosen;
int *where = &chosen;
int two = 2;
short count = 2;
void lower(void) { --count; }
int *find(void)
{
	if (chosen)
		lower();
	else
		return where; /* @return */
}
int main(void)
{
	find();
	find();
}
