int pick(int n) { switch (n) { case 0: return 5; case 1: { int t = n + 2; return t; } default: return 0; } }
int main(void) { int s = 0; for (int i = 0; i < 3; i++) s += pick(i); return s - 8; }
