int depth(int n) { int here = n * n; return n ? depth(n - 1) + here : here; }
int main(void) { int total = depth(4); return total - 30; }
