/* Subject of cli/cpp_test.py.
 *
 * g++ -O2 makes one function of main and first(), and keeps main's code out of its unit's ranges: there are rows for
 * it, which debuggers that look for the unit first do not find. */
int main()
{
	int i = 3;
	int &r = i;
	r = 4;
	return 0;
}

int first()
{
	return 0;
}
