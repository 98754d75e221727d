/* Of this an optimised build has but one stop, before any statement begins: there is nothing to ask.
 * end: main returned; exited with status 0
 * functions: main
 */
int main(void)
{
	if (sizeof(char) != 1)
		return 1;
	return 0;
}
