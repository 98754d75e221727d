enum day { MON = 1, TUE, WED, SUN = 100 }; enum sign { MINUS = -1, NONE, PLUS };
enum day week[3] = {MON, WED, SUN};
int main(void)
{
	enum sign s = MINUS;
	week[1] = TUE;
	s = (enum sign)(s + 2);
	week[0] = s == PLUS ? SUN : MON;
	return week[0] != SUN;
}
