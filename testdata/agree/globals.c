int defined = 1; static long hidden = -2; int common[3], later = 40;
static void change(void) { defined += later; hidden--; common[1] = defined; }
int main(void)
{
	change();
	later = common[1];
	return later - 41;
}
