/* Conjectures, appendix (gcc 105145), C2: a pointer to a local variable, which becomes a register. */
int kept, other = 2;
int main(void)
{
	int value = other;
	int *place = &value;
	int **hold = &place;
	kept = **hold + *place; /* @store */
}
