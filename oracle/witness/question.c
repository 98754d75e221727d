#include "oracle/witness/question.h"

const char *ora_level_text(int level)
{
	return (const char *const[]){"instruction", "line", "break"}[level];
}

const char *ora_mode_text(int mode)
{
	return (const char *const[]){"exact", "single", "unique"}[mode];
}

const char *ora_sample_text(int sample)
{
	return (const char *const[]){"none", "all", "unique", "dtd"}[sample];
}

const char *ora_vars_text(int vars)
{
	return (const char *const[]){"none", "locals", "all"}[vars];
}

const char *ora_ask_text(int ask)
{
	return (const char *const[]){"needed", "all", "text"}[ask];
}
