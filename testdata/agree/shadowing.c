int x = 1;
int main(void) {
    int y = x;
    {
        int x = 2; y += x;
        {
            int x = 3; y += x;
        }
        y += x;
    }
    return y - 8;
}
