#include "oracle/cause/memo.h"

#include <errno.h>
#include <jansson.h>
#include <unistd.h>

#include "base/private.h"
#include "oracle/session/json_text.h"
#include "oracle/store/identity.h"

/* The file about a program, to be freed; NULL: it cannot be read. */
static char *file_of(const char *folder, const char *program)
{
	XS_AUTO_FREE char *hash = NULL;
	struct xs_error *err = ora_hash_file(program, &hash);
	if (err) {
		xs_error_destroy(err);
		return NULL;
	}
	return xs_asprintf("%s/%s", folder, hash);
}

bool ora_memo_get(const char *folder, const char *program, const char *rest, int *ret)
{
	XS_AUTO_FREE char *file = file_of(folder, program);
	json_t *kept = file ? json_load_file(file, 0, NULL) : NULL;
	const char *about = json_string_value(json_object_get(kept, "rest"));
	bool there = about && !strcmp(about, rest);
	if (there)
		*ret = (int)json_integer_value(json_object_get(kept, "answer"));
	json_decref(kept);
	return there;
}

void ora_memo_put(const char *folder, const char *program, const char *rest, int answer)
{
	XS_AUTO_FREE char *file = file_of(folder, program);
	if (!file || (xs_private_folder(folder) && errno != EEXIST))
		return;
	XS_AUTO_FREE char *part = xs_asprintf("%s.%ld", file, (long)getpid());
	json_t *kept = json_object();
	json_object_set_new(kept, "rest", ora_json_text(rest));
	json_object_set_new(kept, "answer", json_integer(answer));
	FILE *out = xs_private_open(part, true);
	bool good = out && !json_dumpf(kept, out, JSON_ENSURE_ASCII);
	good = out && !fclose(out) && good;
	if (!good || rename(part, file))
		unlink(part);
	json_decref(kept);
}
