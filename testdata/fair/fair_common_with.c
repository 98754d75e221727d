#include "units_commons.h"

void second(void);
int twice_declared;

void second(void)
{
	shared_count++;
	twice_declared++;
	shared_name = "second";
}
