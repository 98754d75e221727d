#include "oracle/session/json_text.h"

#include "base/utf8.h"
#include "base/vec.h"

json_t *ora_json_text(const char *text)
{
	static const char unknown[] = "\xef\xbf\xbd";
	if (!text)
		return json_null();
	XS_VEC(char) clean = {0};
	for (unsigned length; *text; text += length ? length : 1) {
		length = xs_utf8_length(text);
		for (unsigned i = 0; i < (length ? length : 3); i++)
			xs_vec_push(&clean, length ? text[i] : unknown[i]);
	}
	json_t *ret = json_stringn(clean.data ? clean.data : "", clean.len);
	xs_vec_deinit(&clean);
	return ret;
}
