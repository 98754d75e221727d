enum colour { RED, GREEN = 5, BLUE = -2 } c = GREEN;
int main(void) { enum colour mine = BLUE; c = mine; mine = RED; return c == mine; }
