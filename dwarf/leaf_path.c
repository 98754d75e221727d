/* From an object to a part of it, by a path as C writes it. Part of leaf.h. */
#include <ctype.h>
#include <errno.h>
#include <stdarg.h>

#include "base/nearest.h"
#include "dwarf/leaf.h"
#include "dwarf/library.h"

/* Says what a step did. */
static void note(const struct di_path_host *host, const char *format, ...) XS_PRINTF(2, 3);
static void note(const struct di_path_host *host, const char *format, ...)
{
	va_list args;
	if (!host->note)
		return;
	va_start(args, format);
	XS_AUTO_FREE char *text = xs_vasprintf(format, args);
	va_end(args);
	host->note(host->arg, text);
}

/* A path being read. */
struct reader {
	const char *at;   /* next character */
	const char *name; /* the member's name just read; not terminated */
	size_t len;       /* of that */
};

static void skip_spaces(struct reader *reader)
{
	reader->at += strspn(reader->at, " \t");
}

static bool read_name(struct reader *reader, struct di_answer *answer)
{
	skip_spaces(reader);
	reader->name = reader->at;
	while (isalnum((unsigned char)*reader->at) || *reader->at == '_' || *reader->at == '$' ||
		*reader->at == '#' || (unsigned char)*reader->at >= 0x80)
		reader->at++;
	reader->len = (size_t)(reader->at - reader->name);
	bool number = isdigit((unsigned char)*reader->name); /* v.0 of Rust */
	if (reader->len == 0 || (number && strspn(reader->name, "0123456789") < reader->len))
		return di_answer_error(answer, DI_WHY_PATH_NAME, .text = {reader->name});
	return true;
}

static bool read_index(struct reader *reader, int64_t *ret, struct di_answer *answer)
{
	char *end;
	skip_spaces(reader);
	errno = 0;
	/* strtoll skips spaces of its own and takes an empty number for 0: look first. */
	*ret = strtoll(reader->at, &end, 0);
	if (end == reader->at || errno)
		return di_answer_error(answer, DI_WHY_PATH_NUMBER, .text = {reader->at});
	reader->at = end;
	skip_spaces(reader);
	if (*reader->at != ']')
		return di_answer_error(answer, DI_WHY_PATH_BRACKET, .text = {reader->at});
	reader->at++;
	return true;
}

/* --- pointers --------------------------------------------------------------------------------- */

/* From a pointer to what it points to. */
static struct xs_error *follow_pointer(
	const struct di_path_host *host, struct di_part *part, struct di_answer *answer)
{
	const struct di_type *type = part->type, *found = NULL;
	const struct di_type *target = di_type_target(type);
	unsigned size = type->base.bits;
	struct di_wide bits;
	struct xs_error *err;
	const struct di_piece *pointer =
		di_location_pointer(part->location, part->bit_offset, size);
	if (pointer) {
		struct di_piece copy = *pointer; /* deref overwrites the location */
		if (!host->deref) {
			di_answer_error(answer, DI_WHY_POINTER_TARGET);
			return NULL;
		}
		if ((err = host->deref(host->arg, &copy, &found, part->location, answer)))
			return err;
		part->type = target->kind == DI_TYPE_VOID && found ? found : target;
		note(host,
			"%s is implicit: followed %" PRId64
			" bytes into what .debug_info+0x%" PRIx64 " describes",
			type->name, copy.pointer.offset, copy.pointer.die);
		part->bit_offset = 8 * (uint64_t)copy.pointer.offset;
		part->bit_size = 0;
		return NULL;
	}
	err = di_location_bits(host->leaf, part->location, part->bit_offset, size, &bits, answer);
	if (err || answer->state != DI_ANSWER_KNOWN)
		return err;
	note(host, "%s is 0x%" PRIx64 ": followed to %s", type->name, bits.limb[0], target->name);
	di_location_memory(bits.limb[0], part->location);
	part->type = target;
	part->bit_offset = part->bit_size = 0;
	return NULL;
}

/* References stand for what they refer to. */
static struct xs_error *follow_reference(
	const struct di_path_host *host, struct di_part *part, struct di_answer *answer)
{
	if (part->type->kind == DI_TYPE_POINTER && part->type->reference)
		return follow_pointer(host, part, answer);
	return NULL;
}

static bool is_array(const struct di_type *type)
{
	return type->kind == DI_TYPE_ARRAY || type->kind == DI_TYPE_VECTOR;
}

/* An array as the pointer to its first element that it decays to. */
static void decay(struct di_part *part)
{
	part->type = part->type->target;
	part->bit_size = 0;
}

static struct xs_error *enter_element(const struct di_path_host *host, int64_t index,
	struct di_part *part, struct di_answer *answer);

/* Of an object that is no pointer, but has an operator* that is known. */
static struct xs_error *deref_object(
	const struct di_path_host *host, struct di_part *part, struct di_answer *answer)
{
	bool known = false;
	struct xs_error *err = di_library_enter(host, DI_LIBRARY_DEREF, 0, part, &known, answer);
	if (!err && !known)
		di_answer_error(answer, DI_WHY_PATH_NO_POINTER, .text = {part->type->name});
	return err;
}

struct xs_error *di_path_deref(
	const struct di_path_host *host, struct di_part *part, struct di_answer *answer)
{
	struct xs_error *err;
	di_answer_known(answer);
	bool reference = part->type->kind == DI_TYPE_POINTER && part->type->reference;
	if ((err = follow_reference(host, part, answer)) || answer->state != DI_ANSWER_KNOWN)
		return err;
	if (part->type->kind == DI_TYPE_ARRAY && part->type->data_elsewhere)
		return enter_element(host, part->type->lower, part, answer);
	if (part->type->kind == DI_TYPE_ARRAY)
		decay(part);
	else if (part->type->kind == DI_TYPE_POINTER && !part->type->problem)
		return follow_pointer(host, part, answer);
	else if (!reference) /* *r is what it refers to: r alone is an address */
		return deref_object(host, part, answer);
	return NULL;
}

/* --- members ---------------------------------------------------------------------------------- */

/* Where the part is in memory; NULL if it is not. */
static const xs_addr *address_of(const struct di_part *part, xs_addr *ret)
{
	return di_location_address(part->location, part->bit_offset, ret) ? ret : NULL;
}

static bool same_name(const struct reader *reader, const char *name)
{
	/* What Rust calls 0, its DWARF calls __0. */
	if (isdigit((unsigned char)*reader->name) && !strncmp(name, "__", 2))
		name += 2;
	return !strncmp(reader->name, name, reader->len) && !name[reader->len];
}

/* A member by its name, seen through what is anonymous and through base classes. Ways are the
 * members that lead there, the outermost first. */
struct search {
	const struct reader *reader;
	struct xs_nearest nearest;                    /* the name that was meant, perhaps */
	const struct di_member *way[DI_TYPE_NESTING]; /* to the member, if it was found */
	size_t len;
	unsigned visits; /* structs that may yet be searched */
};

static bool search_members(struct search *search, const struct di_type *type)
{
	if (search->len == DI_TYPE_NESTING || search->visits == 0)
		return false;
	search->visits--;
	for (size_t i = 0; i < type->members.len; i++) {
		const struct di_member *member = &type->members.data[i];
		search->way[search->len] = member;
		if (member->name && same_name(search->reader, member->name)) {
			search->len++;
			return true;
		}
		if (member->name)
			xs_nearest_try(&search->nearest, member->name);
	}
	for (size_t i = 0; i < type->members.len; i++) {
		const struct di_member *member = &type->members.data[i];
		if (member->name && !member->base_class)
			continue;
		search->way[search->len++] = member;
		if (search_members(search, member->type))
			return true;
		search->len--;
	}
	return false;
}

static void note_member(const struct di_path_host *host, const struct di_type *type,
	const struct di_member *member, uint64_t offset)
{
	const char *name = member->name ? member->name : "(anonymous)";
	if (member->bit_field)
		note(host,
			"%s is %" PRIu64 " bits of %s, from bit %" PRIu64 " of byte %" PRIu64 " on",
			name, member->bit_size, type->name, offset % 8, offset / 8);
	else
		note(host, "%s is at byte %" PRIu64 " of %s", name, offset / 8, type->name);
}

static struct xs_error *enter_member(const struct di_path_host *host, const struct reader *reader,
	struct di_part *part, struct di_answer *answer)
{
	char word[128];
	uint64_t offset;
	xs_addr address;
	struct search search = {.reader = reader, .visits = 4096};
	snprintf(word, sizeof word, "%.*s", (int)(reader->len < 100 ? reader->len : 100),
		reader->name);
	search.nearest = xs_nearest_to(word);
	if (!search_members(&search, part->type)) {
		if (search.nearest.best)
			di_answer_error(answer, DI_WHY_PATH_NEAR_MEMBER, .number = {strlen(word)},
				.text = {reader->name, part->type->name, search.nearest.best});
		else
			di_answer_error(answer, DI_WHY_PATH_MEMBER, .number = {strlen(word)},
				.text = {reader->name, part->type->name});
		return NULL;
	}
	for (size_t i = 0; i < search.len; i++) {
		const struct di_member *member = search.way[i];
		struct xs_error *err = di_member_offset(
			host->leaf, member, address_of(part, &address), &offset, answer);
		if (err || answer->state != DI_ANSWER_KNOWN)
			return err;
		note_member(host, part->type, member, offset);
		part->type = member->type;
		part->bit_offset += offset;
		part->bit_size = member->bit_field ? member->bit_size : 0;
	}
	return NULL;
}

static bool enter_complex(
	const struct reader *reader, struct di_part *part, struct di_answer *answer)
{
	if (!same_name(reader, "real") && !same_name(reader, "imag"))
		return di_answer_error(answer, DI_WHY_PATH_COMPLEX,
			.number = {reader->len < 60 ? reader->len : 60},
			.text = {reader->name, part->type->name});
	part->type = part->type->target;
	if (same_name(reader, "imag"))
		part->bit_offset += 8 * part->type->size;
	return true;
}

static struct xs_error *member_step(const struct di_path_host *host, struct reader *reader,
	bool arrow, struct di_part *part, struct di_answer *answer)
{
	struct xs_error *err;
	if (!read_name(reader, answer))
		return NULL;
	if (arrow)
		err = di_path_deref(host, part, answer);
	else
		err = follow_reference(host, part, answer);
	if (err || answer->state != DI_ANSWER_KNOWN)
		return err;
	const struct di_type *type = part->type;
	if (type->problem) {
		di_answer_error(answer, type->problem, .number = {type->problem_about});
		di_answer_within(
			answer, &(struct di_within){.kind = DI_WITHIN_TYPE, .name = type->name});
	} else if (type->kind == DI_TYPE_COMPLEX) {
		enter_complex(reader, part, answer);
	} else if (type->kind == DI_TYPE_STRUCT || type->kind == DI_TYPE_UNION) {
		return enter_member(host, reader, part, answer);
	} else if (type->kind == DI_TYPE_POINTER && !arrow) {
		di_answer_error(answer, DI_WHY_PATH_ARROW, .text = {type->name});
	} else {
		di_answer_error(answer, DI_WHY_PATH_NO_MEMBERS, .text = {type->name});
	}
	return NULL;
}

/* --- elements --------------------------------------------------------------------------------- */

static struct xs_error *enter_element(const struct di_path_host *host, int64_t index,
	struct di_part *part, struct di_answer *answer)
{
	const struct di_type *type = part->type;
	uint64_t count, stride, from = (uint64_t)index - (uint64_t)type->lower;
	struct xs_error *err;
	xs_addr address;
	const xs_addr *object = address_of(part, &address);
	if ((err = di_array_exists(host->leaf, type, object, answer)) ||
		answer->state != DI_ANSWER_KNOWN ||
		(err = di_array_count(host->leaf, type, object, &count, answer)))
		return err;
	/* Where an element is does not depend on how many there are. */
	if (answer->state == DI_ANSWER_OPTIMIZED_OUT) {
		di_answer_known(answer);
		count = 0;
	}
	if (answer->state != DI_ANSWER_KNOWN)
		return NULL;
	/* A flexible array, and [0] used as one, ends nobody knows where. */
	if (count > 0 ? from >= count : (int64_t)from < 0) {
		di_answer_error(answer, DI_WHY_PATH_INDEX, .number = {(uint64_t)index},
			.text = {type->name});
		return NULL;
	}
	if ((err = di_array_stride(host->leaf, type, object, &stride, answer)) ||
		answer->state != DI_ANSWER_KNOWN)
		return err;
	if (type->data_elsewhere) {
		if ((err = di_array_data(host->leaf, type, object, &address, answer)) ||
			answer->state != DI_ANSWER_KNOWN)
			return err;
		di_location_memory(address, part->location);
		part->bit_offset = 0;
	}
	note(host, "[%" PRId64 "] is at byte %" PRIu64 " of %s", index, from * stride / 8,
		type->name);
	part->bit_offset += from * stride;
	part->type = type->target;
	part->bit_size = 0;
	return NULL;
}

static struct xs_error *index_step(const struct di_path_host *host, struct reader *reader,
	struct di_part *part, struct di_answer *answer)
{
	struct xs_error *err;
	int64_t index;
	if (!read_index(reader, &index, answer))
		return NULL;
	if ((err = follow_reference(host, part, answer)) || answer->state != DI_ANSWER_KNOWN)
		return err;
	if (is_array(part->type) && !part->type->problem)
		return enter_element(host, index, part, answer);
	if (part->type->kind == DI_TYPE_STRUCT && !part->type->problem) {
		bool known = false;
		err = di_library_enter(host, DI_LIBRARY_INDEX, index, part, &known, answer);
		if (err || known)
			return err;
	}
	if (part->type->kind != DI_TYPE_POINTER || part->type->problem) {
		di_answer_error(answer, DI_WHY_PATH_NO_ARRAY, .text = {part->type->name});
		return NULL;
	}
	if ((err = follow_pointer(host, part, answer)) || answer->state != DI_ANSWER_KNOWN)
		return err;
	if (!part->type->size_known)
		di_answer_error(answer, DI_WHY_SIZE_UNKNOWN, .text = {part->type->name});
	if (answer->state != DI_ANSWER_KNOWN)
		return NULL;
	uint64_t offset = part->type->size * (uint64_t)index;
	note(host, "[%" PRId64 "] is at byte %" PRId64 " from there", index, (int64_t)offset);
	part->bit_offset += 8 * offset;
	return NULL;
}

struct xs_error *di_path_follow(const struct di_path_host *host, const char *path,
	struct di_part *part, struct di_answer *answer)
{
	struct reader reader = {.at = path};
	struct xs_error *err = NULL;
	di_answer_known(answer);
	for (skip_spaces(&reader); *reader.at && !err && answer->state == DI_ANSWER_KNOWN;
		skip_spaces(&reader)) {
		char first = *reader.at++;
		if (first == '.') {
			err = member_step(host, &reader, false, part, answer);
		} else if (first == ':' && *reader.at == ':') { /* of a base class: p->Base::x */
			reader.at++;
			err = member_step(host, &reader, false, part, answer);
		} else if (first == '-' && *reader.at == '>') {
			reader.at++;
			err = member_step(host, &reader, true, part, answer);
		} else if (first == '[') {
			err = index_step(host, &reader, part, answer);
		} else {
			di_answer_error(answer, DI_WHY_PATH_STEP, .text = {reader.at - 1});
		}
	}
	return err;
}
