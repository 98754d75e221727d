/* tool_by_hand_with.c - the other unit of tool_by_hand.c. */
static int twice = 22;

int other(void)
{
	return twice++;
}
