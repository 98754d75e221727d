/* Conjectures, appendix (gcc 105124), C3: a constant that is shown late, at -Og. */
int kept, turn;
void use(int value) { kept += value; }
int main(void)
{
	int eight = 8;
	int *place = &eight;
	for (; turn < 2; turn++) /* @loop */
		kept = turn;
	*place = eight;
	use(*place); /* @call */
}
