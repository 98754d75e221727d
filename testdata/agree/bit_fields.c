struct bits { unsigned a : 3; int b : 5; unsigned c : 9; } g = {1, -2, 300};
int main(void) { struct bits l = {7, -16, 511}; g.b = l.b; l.a = 0; g.c++; return l.a; }
