#include <stdbool.h>
bool flags[3] = {true, false, true};
static bool flip(bool b) { return !b; }
int main(void)
{
	bool any = false;
	for (int i = 0; i < 3; i++) {
		flags[i] = flip(flags[i]);
		any |= flags[i];
	}
	return !any;
}
