#include "oracle/session/lost.h"

#include <stdlib.h>
#include <string.h>

bool ora_lost_add(struct ora_lost *lost, const char *witness, const char *why)
{
	for (size_t i = 0; i < lost->vec.len; i++)
		if (!strcmp(lost->vec.data[i].witness, witness) &&
			!strcmp(lost->vec.data[i].why, why))
			return false;
	struct ora_lost_witness one = {xs_strdup(witness), xs_strdup(why)};
	xs_vec_push(&lost->vec, one);
	return true;
}

char *ora_lost_text(const struct ora_lost *lost)
{
	char *ret = NULL;
	for (size_t i = 0; i < lost->vec.len; i++) {
		char *longer = xs_asprintf("%s%s%s: %s", ret ? ret : "", ret ? "; " : "",
			lost->vec.data[i].witness, lost->vec.data[i].why);
		free(ret);
		ret = longer;
	}
	return ret;
}

void ora_lost_deinit(struct ora_lost *lost)
{
	for (size_t i = 0; i < lost->vec.len; i++) {
		free(lost->vec.data[i].witness);
		free(lost->vec.data[i].why);
	}
	xs_vec_deinit(&lost->vec);
}
