#include "source/pass.h"

void src_mutate_flow(struct src_pass *pass)
{
	(void)pass;
}
