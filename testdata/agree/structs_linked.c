struct node { int value; struct node *next; };
int main(void)
{
	struct node c = {3, 0}, b = {2, &c}, a = {1, &b};
	int sum = 0;
	for (struct node *at = &a; at; at = at->next)
		sum += at->value;
	return sum - 6;
}
