#include "dwarf/answer.h"

#include <stdarg.h>

void di_answer_known(struct di_answer *ret)
{
	ret->state = DI_ANSWER_KNOWN;
	ret->reason[0] = '\0';
}

bool di_answer_gone(struct di_answer *ret, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	ret->state = DI_ANSWER_OPTIMIZED_OUT;
	vsnprintf(ret->reason, sizeof ret->reason, format, args);
	va_end(args);
	return false;
}

bool di_answer_error(struct di_answer *ret, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	ret->state = DI_ANSWER_ERROR;
	vsnprintf(ret->reason, sizeof ret->reason, format, args);
	va_end(args);
	return false;
}
