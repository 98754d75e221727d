static int unit = 4; static int next(void) { static int calls; return ++calls + unit; }
int main(void) { int a = next(), b = next(); unit = a; return b - 6; }
