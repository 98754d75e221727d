static void permute(char *text, int at, int *count)
{
	if (!text[at])
		++*count;
	for (int i = at; text[i]; i++) {
		char c = text[at]; text[at] = text[i]; text[i] = c;
		permute(text, at + 1, count);
		c = text[at]; text[at] = text[i]; text[i] = c;
	}
}
int main(void)
{
	char text[] = "abc";
	int count = 0;
	permute(text, 0, &count);
	return count - 6;
}
