#include <stdlib.h>
static int order(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
int main(void) { int v[] = {3, 1, 2}; qsort(v, 3, sizeof *v, order); return v[0] - 1; }
