/* Conjectures, appendix (gcc 105158), C1: the value of a condition, passed. */
void opaque(int, ...);
int first, second;
int main(void)
{
	int truth = first || (second && first);
	opaque(1, truth); /* @call */
}
