#include "base/scratch.h"

#include <ftw.h>
#include <stdlib.h>

#include "base/alloc.h"

enum { OPEN_MAX_FOLDERS = 16 };

const char *xs_scratch_place(void)
{
	const char *place = getenv("TMPDIR");
	return place && *place ? place : "/tmp";
}

struct xs_error *xs_scratch_create(const char *what, char **ret)
{
	*ret = xs_asprintf("%s/xstep-%s-XXXXXX", xs_scratch_place(), what);
	if (mkdtemp(*ret))
		return NULL;
	struct xs_error *err = xs_error_sys("%s", *ret);
	free(*ret);
	*ret = NULL;
	return err;
}

static int remove_one(const char *path, const struct stat *about, int kind, struct FTW *where)
{
	(void)about, (void)kind, (void)where;
	remove(path); /* what cannot be removed keeps the others from nothing */
	return 0;
}

void xs_scratch_destroy(char *folder)
{
	if (folder)
		nftw(folder, remove_one, OPEN_MAX_FOLDERS, FTW_DEPTH | FTW_PHYS);
	free(folder);
}
