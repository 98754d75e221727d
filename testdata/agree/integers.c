signed char c = -1; unsigned char uc = 200; short s = -300; unsigned short us = 60000;
int i = -7; unsigned u = 4000000000u; long l = -1L << 40; unsigned long ul = ~0ul;
_Bool b = 1; char plain = 'x';
int main(void) { int k = i + s; i++; u -= 3; b = !b; c++; l *= 2; return k == 0; }
