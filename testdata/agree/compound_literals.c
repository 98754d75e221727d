struct point { int x, y; };
static int norm(const struct point *p) { return p->x * p->x + p->y * p->y; }
int main(void)
{
	int *list = (int[]){3, 1, 4};
	struct point *p = &(struct point){.y = 4, .x = list[0]};
	p->x++;
	return norm(p) - 32;
}
