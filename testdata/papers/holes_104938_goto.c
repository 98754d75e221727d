/* Conjectures, section 3.4 (gcc 104938), C3: at -Og a pointer is shown at the call and not before. */
int again, target = 0;
void use(int *at) { again = 0; }
int main(void)
{
	int *place = &target;
	int **hold = &place;
retry:	if (again) /* @test */
		goto retry;
	*hold = place;
	use(*hold); /* @call */
}
