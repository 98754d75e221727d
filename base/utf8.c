#include "base/utf8.h"

#include <stdbool.h>

unsigned xs_utf8_length(const char *text)
{
	const unsigned char *byte = (const unsigned char *)text;
	unsigned length = byte[0] < 0x80             ? 1
			  : (byte[0] & 0xe0) == 0xc0 ? 2
			  : (byte[0] & 0xf0) == 0xe0 ? 3
			  : (byte[0] & 0xf8) == 0xf0 ? 4
						     : 0;
	for (unsigned i = 1; i < length; i++)
		if ((byte[i] & 0xc0) != 0x80)
			return 0;
	bool overlong = (length == 2 && byte[0] < 0xc2) ||
			(length == 3 && byte[0] == 0xe0 && byte[1] < 0xa0) ||
			(length == 4 && byte[0] == 0xf0 && byte[1] < 0x90);
	bool surrogate = length == 3 && byte[0] == 0xed && byte[1] >= 0xa0;
	bool beyond = length == 4 && (byte[0] > 0xf4 || (byte[0] == 0xf4 && byte[1] >= 0x90));
	return overlong || surrogate || beyond ? 0 : length;
}
