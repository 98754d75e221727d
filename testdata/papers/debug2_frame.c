/* Debug² snippet 3, BI: a function that has returned is still in the backtrace of its caller's line. */
static int count;
static int *where = &count;
static int *clear(void)
{
	*where = 0;
	return &count;
}
void work(void) { clear(); }
int main(void) { work(); } /* @caller */
