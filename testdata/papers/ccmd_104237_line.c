/* Dfusor figure 1 (gcc 104237): with -flto and debug information a nop more. Where the lines are is the point. */
# line 6 ""
short kept;
__attribute__((optimize(0))) int take(void);
__attribute__((always_inline)) static inline signed char pass(int value);
void nothing(void);
int take(void) { char result = pass(0); return kept; }
static inline signed char pass(int value)
{
	nothing();
# line 7 "other_place.c"
	int unused;
# line 6
	return value;
}
void nothing(void) {}
int main(void) { return 0; }
