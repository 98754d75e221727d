/* The other unit of cpp_fair.cpp. */
#include "cpp_fair.h"

int other(const unsigned char *bytes)
{
	int same = 0;
	for (int i = 0; i < 4; i++)
		same += bytes[i] == magic[i];
	return same;
}
