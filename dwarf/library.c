#include "dwarf/library.h"

#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

/* A class, and the paths of members from it. */
struct row {
	const char *name;  /* without namespace and arguments */
	bool index, deref; /* which operators it has */
	const char *item;  /* to a pointer, an array, or the value itself */
	const char *end;   /* to a pointer behind the last; or NULL */
	const char *count; /* to their number; or NULL */
	unsigned more;     /* elements beyond that number which are there: a string's end */
	const char *has;   /* to a flag: there is a value; then item is that. Or NULL */
};

#define POINTER_OF_UNIQUE "._M_t._M_t._Tuple_impl._Head_base._M_head_impl"

/* Of libstdc++, as gcc 12 has it. */
static const struct row rows[] = {
	{.name = "vector", .index = true, .item = "._M_impl._M_start", .end = "._M_impl._M_finish"},
	{.name = "basic_string",
		.index = true,
		.item = "._M_dataplus._M_p",
		.count = "._M_string_length",
		.more = 1},
	{.name = "basic_string_view", .index = true, .item = "._M_str", .count = "._M_len"},
	{.name = "array", .index = true, .item = "._M_elems"},
	{.name = "initializer_list", .index = true, .item = "._M_array", .count = "._M_len"},
	{.name = "valarray", .index = true, .item = "._M_data", .count = "._M_size"},
	{.name = "__normal_iterator", .index = true, .deref = true, .item = "._M_current"},
	{.name = "unique_ptr", .index = true, .deref = true, .item = POINTER_OF_UNIQUE},
	{.name = "shared_ptr", .index = true, .deref = true, .item = "._M_ptr"},
	{.name = "optional",
		.deref = true,
		.item = "._M_payload._M_payload._M_value",
		.has = "._M_payload._M_engaged"},
};

/* Whether a DIE is in the library's namespaces: rule 2. */
static bool is_of_library(const Dwarf_Die *die)
{
	Dwarf_Die copy = *die, *scopes = NULL;
	int count = dwarf_getscopes_die(&copy, &scopes);
	bool found = false;
	/* The outermost decides: what a user calls std is in something of the user's. */
	for (int i = count - 1; i > 0 && !found; i--)
		if (dwarf_tag(&scopes[i]) == DW_TAG_namespace) {
			const char *name = dwarf_diename(&scopes[i]);
			found = name && (!strcmp(name, "std") || !strcmp(name, "__gnu_cxx"));
			break;
		}
	free(scopes);
	return found;
}

static const struct row *find_row(const struct di_type *type, enum di_library_operator wanted)
{
	Dwarf_Die die = type->die;
	const char *name = die.addr && type->kind == DI_TYPE_STRUCT ? dwarf_diename(&die) : NULL;
	size_t length = name ? strcspn(name, "<") : 0;
	for (size_t i = 0; length && i < sizeof rows / sizeof *rows; i++)
		if (strlen(rows[i].name) == length && !strncmp(rows[i].name, name, length) &&
			(wanted == DI_LIBRARY_INDEX ? rows[i].index : rows[i].deref))
			return is_of_library(&die) ? &rows[i] : NULL;
	return NULL;
}

static struct xs_error *other_layout(const struct di_type *type, struct di_answer *answer)
{
	di_answer_error(answer, DI_WHY_PATH_LIBRARY, .text = {type->name});
	return NULL;
}

/* Follows members. That there are no such is another layout; whatever else is in the way, the
 * answer says. */
static struct xs_error *enter(const struct di_path_host *host, const struct di_type *whole,
	const char *path, struct di_part *part, struct di_answer *answer)
{
	struct xs_error *err = di_path_follow(host, path, part, answer);
	if (!err && answer->state == DI_ANSWER_ERROR &&
		(answer->why.code == DI_WHY_PATH_MEMBER ||
			answer->why.code == DI_WHY_PATH_NEAR_MEMBER ||
			answer->why.code == DI_WHY_PATH_NO_MEMBERS))
		return other_layout(whole, answer);
	return err;
}

/* The number that a scalar member is; the part stays where it is. */
static struct xs_error *read_number(const struct di_path_host *host, const char *path,
	const struct di_part *part, uint64_t *ret, struct di_answer *answer)
{
	XS_AUTO_FREE struct di_location *location = xs_calloc(1, sizeof *location);
	const struct di_path_host silent = {
		.leaf = host->leaf, .deref = host->deref, .arg = host->arg};
	struct di_part member = *part;
	struct di_wide bits;
	*location = *part->location;
	member.location = location;
	struct xs_error *err = enter(&silent, part->type, path, &member, answer);
	if (err || answer->state != DI_ANSWER_KNOWN)
		return err;
	bool scalar = member.type->kind == DI_TYPE_BASE || member.type->kind == DI_TYPE_POINTER;
	if (!scalar || !member.type->base.bits || member.type->base.bits > 64)
		return other_layout(part->type, answer);
	err = di_location_bits(
		host->leaf, location, member.bit_offset, member.type->base.bits, &bits, answer);
	*ret = bits.limb[0];
	return err;
}

/* Whether the object has an element of that index. */
static struct xs_error *check_index(const struct di_path_host *host, const struct row *row,
	int64_t index, const struct di_part *part, const struct di_type *element,
	struct di_answer *answer)
{
	uint64_t begin = 0, end = 0;
	struct xs_error *err = NULL;
	if (row->count) {
		err = read_number(host, row->count, part, &end, answer);
		end += row->more;
	} else if (row->end) {
		uint64_t size = element && element->size_known ? element->size : 0;
		if (!size)
			return other_layout(part->type, answer);
		if (!(err = read_number(host, row->item, part, &begin, answer)) &&
			answer->state == DI_ANSWER_KNOWN)
			err = read_number(host, row->end, part, &end, answer);
		end = end < begin ? 0 : (end - begin) / size;
	} else {
		return NULL; /* how many there are, the array says or nobody */
	}
	if (!err && answer->state == DI_ANSWER_KNOWN && (index < 0 || (uint64_t)index >= end))
		di_answer_error(answer, DI_WHY_PATH_INDEX, .number = {(uint64_t)index},
			.text = {part->type->name});
	return err;
}

/* What the item points to or has for elements; NULL if it is neither. */
static struct xs_error *find_element(const struct di_path_host *host, const struct row *row,
	const struct di_part *part, const struct di_type **ret, struct di_answer *answer)
{
	XS_AUTO_FREE struct di_location *location = xs_calloc(1, sizeof *location);
	const struct di_path_host silent = {
		.leaf = host->leaf, .deref = host->deref, .arg = host->arg};
	struct di_part member = *part;
	*location = *part->location;
	member.location = location;
	*ret = NULL;
	struct xs_error *err = enter(&silent, part->type, row->item, &member, answer);
	if (err || answer->state != DI_ANSWER_KNOWN)
		return err;
	if (member.type->kind == DI_TYPE_ARRAY)
		*ret = member.type->target;
	else if (member.type->kind == DI_TYPE_POINTER && !member.type->reference)
		*ret = di_type_target(member.type);
	return NULL;
}

struct xs_error *di_library_enter(const struct di_path_host *host, enum di_library_operator wanted,
	int64_t index, struct di_part *part, bool *ret, struct di_answer *answer)
{
	const struct row *row = find_row(part->type, wanted);
	const struct di_type *whole = part->type, *element = NULL;
	struct xs_error *err;
	uint64_t has = 1;
	*ret = row != NULL;
	if (!row)
		return NULL;
	if (row->has) {
		if ((err = read_number(host, row->has, part, &has, answer)) ||
			answer->state != DI_ANSWER_KNOWN)
			return err;
		if (!has) {
			di_answer_error(answer, DI_WHY_PATH_EMPTY, .text = {whole->name});
			return NULL;
		}
		return enter(host, whole, row->item, part, answer);
	}
	if ((err = find_element(host, row, part, &element, answer)) ||
		answer->state != DI_ANSWER_KNOWN)
		return err;
	if (!element)
		return other_layout(whole, answer);
	if (wanted == DI_LIBRARY_INDEX &&
		((err = check_index(host, row, index, part, element, answer)) ||
			answer->state != DI_ANSWER_KNOWN))
		return err;
	if ((err = enter(host, whole, row->item, part, answer)) || answer->state != DI_ANSWER_KNOWN)
		return err;
	if (wanted == DI_LIBRARY_DEREF)
		return di_path_deref(host, part, answer);
	XS_AUTO_FREE char *step = xs_asprintf("[%lld]", (long long)index);
	return di_path_follow(host, step, part, answer);
}
