#include <string.h>
char line[16] = "hello"; static const char *word = "world";
int main(void)
{
	char copy[16];
	strcpy(copy, line);
	strcat(copy, ", ");
	size_t length = strlen(strcat(copy, word));
	copy[0] = 'H';
	return length != 12;
}
