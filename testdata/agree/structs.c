struct in { int a; char b; }; struct out { struct in x[2]; long y; union { int i; float f; } u; };
struct out g = {{{1, 2}, {3, 4}}, 5, {6}};
int main(void) { struct out o = g; o.x[1].a = 9; g.u.i = 1; o.y -= 4; return o.y == g.y; }
