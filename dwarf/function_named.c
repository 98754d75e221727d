/* Finds functions by their names. Part of function.h. */
#include "base/nearest.h"
#include "dwarf/function.h"
#include "dwarf/name_text.h"

/* The subprogram that the only symbol of a name stands for; NULL if there is none or several. */
static const struct di_function *named_by_symbol(struct di_functions *functions, const char *name)
{
	const struct di_function *symbol = NULL;
	for (size_t i = 0; i < functions->symbol_ranges.len; i++) {
		const struct di_function *one = functions->symbol_ranges.data[i].function;
		if (strcmp(one->name, name))
			continue;
		if (symbol)
			return NULL;
		symbol = one;
	}
	const struct di_function *ret =
		symbol ? di_functions_find_debug(functions, symbol->entry) : NULL;
	return ret && !strcmp(ret->name, name) ? ret : NULL;
}

/* Whether a bare name ends with another one, all of its last components. */
static bool ends_with(const char *bare, const char *end)
{
	size_t length = strlen(bare), its = strlen(end);
	return length >= its && !strcmp(bare + length - its, end) &&
	       (length == its || bare[length - its - 1] == ':');
}

/* The first whose name is spelled so in other words, or ends so. */
static const struct di_function *find_spelled(struct di_functions *functions, const char *name)
{
	const struct di_function_list *all = di_functions_all(functions);
	const struct di_function *part = NULL;
	XS_AUTO_FREE char *key = di_name_key(name), *bare = di_name_bare(key);
	for (size_t i = 0; *key && i < all->vec.len; i++) {
		const struct di_function *one = all->vec.data[i];
		XS_AUTO_FREE char *its = di_name_key(one->name), *short_one = di_name_bare(its);
		if (!strcmp(its, key) && !one->symbol)
			return one;
		if (!part && ends_with(short_one, bare))
			part = one;
	}
	return part;
}

static const struct di_function *find_named(struct di_functions *functions, const char *name)
{
	const struct di_function *ret = named_by_symbol(functions, name);
	if (ret)
		return ret;
	const struct di_function_list *all = di_functions_all(functions);
	const struct di_function *symbol = NULL;
	for (size_t i = 0; i < all->vec.len; i++) {
		struct di_function *one = all->vec.data[i];
		if (strcmp(one->name, name) != 0)
			continue;
		if (!one->symbol)
			return one;
		symbol = symbol ? symbol : one;
	}
	/* `main` of a Rust program is its own main, and not the one that calls it. */
	ret = find_spelled(functions, name);
	return ret && !ret->symbol ? ret : symbol ? symbol : ret;
}

const struct di_function *di_functions_named(struct di_functions *functions, const char *name)
{
	uint64_t hash = xs_hash_text(0, name);
	const uint64_t *known = xs_map_find(&functions->named, hash, 0);
	if (known)
		return (const struct di_function *)(uintptr_t)*known;
	const struct di_function *ret = find_named(functions, name);
	*xs_map_at(&functions->named, hash, 0) = (uintptr_t)ret;
	return ret;
}

const char *di_functions_nearest(struct di_functions *functions, const char *name)
{
	struct xs_nearest nearest = xs_nearest_to(name);
	const struct di_function_list *all = di_functions_all(functions);
	for (size_t i = 0; i < all->vec.len; i++)
		xs_nearest_try(&nearest, all->vec.data[i]->name);
	return nearest.best;
}
