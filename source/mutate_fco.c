#include "source/pass.h"

void src_mutate_fco(struct src_pass *pass)
{
	(void)pass;
}
