/* home.h - the address that code goes by, wherever it is now.
 *
 * A shared object may be unloaded and loaded again elsewhere, and another may then be where it was.
 * A transition is the same one all the same. So each piece of code has a home, an address of its
 * own for the whole walk: mostly where it was loaded first, and where it still is. */
#ifndef ENG_HOME_H
#define ENG_HOME_H

#include "base/addr.h"

struct eng_home {
	struct xs_range now; /* where the code is now */
	uint64_t shift;      /* home address - address now */
};

struct eng_homes {
	XS_VEC(struct eng_home) list; /* what is not at home, in no order; few, mostly none */
};

static inline xs_addr eng_home_of(const struct eng_homes *homes, xs_addr address)
{
	for (size_t i = 0; homes && i < homes->list.len; i++)
		if (homes->list.data[i].now.lo <= address && address < homes->list.data[i].now.hi)
			return address + homes->list.data[i].shift;
	return address;
}

#endif
