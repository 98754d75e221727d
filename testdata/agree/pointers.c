int x = 3; int *p = &x; int **pp = &p; void *none; int (*f)(int);
static int twice(int v) { return 2 * v; }
int main(void) { f = twice; **pp = f(*p); int *q = p; none = q; return x - 6; }
