#include <alloca.h>
int main(void)
{
	int n = 3;
	int *room = alloca(sizeof *room * 3);
	for (int i = 0; i < n; i++)
		room[i] = i * i;
	return room[2] - 4;
}
