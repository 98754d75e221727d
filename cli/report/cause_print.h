/* cause_print.h - what a reduction and a search for a culprit came to, as text and as JSON. */
#ifndef CLI_CAUSE_PRINT_H
#define CLI_CAUSE_PRINT_H

#include <stdio.h>

#include "oracle/cause/culprit.h"
#include "oracle/cause/reduce.h"

void cli_reduce_print(FILE *out, const struct ora_reduce *reduce, bool json);
void cli_culprit_print(FILE *out, const struct ora_culprit *culprit, bool json);

#endif
