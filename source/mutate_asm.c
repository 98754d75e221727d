#include "source/pass.h"

void src_mutate_asm(struct src_pass *pass)
{
	(void)pass;
}
