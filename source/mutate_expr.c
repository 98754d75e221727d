#include "source/pass.h"

void src_mutate_expr(struct src_pass *pass)
{
	(void)pass;
}
