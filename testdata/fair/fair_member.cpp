/* fair_member.cpp - clang describes made, which changes, by the constant 2 and by where it is. */
struct holder {
	static inline int made = 2;
};

volatile int sink;

int main()
{
	for (int i = 0; i < 3; i++)
		sink = holder::made++;
	return 0;
}
