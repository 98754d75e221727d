struct big { long v[4]; };
static long add(struct big b, double d, char c, int a1, int a2, int a3, int a4, int a5, int a6, int a7)
{ return b.v[3] + (long)d + c + a1 + a2 + a3 + a4 + a5 + a6 + a7; }
int main(void) { struct big b = {{1, 2, 3, 4}}; return add(b, 2.5, 'a', 1, 2, 3, 4, 5, 6, 7) != 131; }
