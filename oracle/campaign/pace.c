#include "oracle/campaign/pace.h"

enum { FEW = 4 }; /* jobs that say little about the next ones */

double ora_pace_left(
	const struct ora_pace *pace, double programs_left, double jobs_left, uint64_t workers)
{
	double programs = (double)pace->programs, seconds = 0;
	if (programs_left > 0) {
		if (!pace->programs)
			return -1;
		jobs_left += programs_left * (double)pace->brought / programs;
		seconds += programs_left * pace->making / programs;
	}
	if (jobs_left > 0) {
		if (pace->jobs < FEW)
			return -1;
		seconds += jobs_left * pace->working / (double)pace->jobs;
	}
	return seconds / (double)(workers ? workers : 1);
}
