static int step(int state, char c)
{
	switch (state) {
	case 0:
		switch (c) {
		case 'a': return 1;
		default: return 0;
		}
	case 1:
		return c == 'b' ? 2 : 0;
	}
	return state;
}
int main(void)
{
	int state = 0;
	for (const char *at = "xab"; *at; at++)
		state = step(state, *at);
	return state - 2;
}
