#include "oracle/session/json_text.h"

#include "base/cleanup.h"
#include "base/utf8.h"

json_t *ora_json_text(const char *text)
{
	if (!text)
		return json_null();
	XS_AUTO_FREE char *clean = xs_utf8_fold(text);
	return json_string(clean);
}
