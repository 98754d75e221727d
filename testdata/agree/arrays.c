int a[3][2] = {{1, 2}, {3, 4}, {5, 6}}; char text[] = "hello";
int main(void) { short m[4] = {1, 2, 3, 4}; a[1][1] = m[2]; text[0] = 'j'; return m[3] - 4; }
