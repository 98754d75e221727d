#include "dwarf/leaf.h"

enum {
	WINDOW = 64 * 1024,   /* bytes of memory read at once */
	WINDOW_SMALL = 512,   /* what needs no allocation */
	COUNTS = 8,           /* evaluated bounds that are kept */
	VISITS_PER_LEAF = 64, /* objects looked at for each leaf allowed: hostile types have many
			       * parts without leaves */
};

/* One flattening. */
struct walk {
	const struct di_leaf_request *request;
	struct di_leaf_host host; /* the request's, with memory read through the window */
	uint64_t told, limit;     /* leaves so far, and how many there may be */
	uint64_t visits;          /* objects that may yet be looked at */
	bool cut;                 /* one of the limits is reached */
	uint64_t member_offset;   /* of the member being looked at, in its struct */
	uint64_t missing;         /* leaves not told since */
	struct {
		char *data; /* NUL-terminated */
		size_t len, cap;
	} path; /* of the object being looked at */
	struct {
		uint8_t small[WINDOW_SMALL];
		uint8_t *large;  /* WINDOW bytes, or NULL: not needed yet */
		uint8_t *data;   /* whichever holds */
		xs_addr address; /* of its first byte */
		size_t size;     /* 0: nothing was read */
		bool useless;    /* a large read failed: from now on only what is asked for */
	} window;
	struct {
		const struct di_type *type;
		uint64_t count;
	} counts[COUNTS]; /* bounds of variable arrays, evaluated */
	size_t counts_len;
};

/* --- memory, a lot at a time ------------------------------------------------------------------ */

/* How many bytes from address on belong to the object, at least `size`. */
static uint64_t extent(const struct walk *walk, xs_addr address, size_t size)
{
	const struct di_location *location = walk->request->location;
	const struct di_type *type = walk->request->type;
	uint64_t end = 0;
	for (size_t i = 0; i < location->count && end == 0; i++) {
		const struct di_piece *piece = &location->piece[i];
		uint64_t bits = piece->bit_size + piece->bit_offset;
		if (piece->kind != DI_PIECE_MEMORY)
			continue;
		if (!location->composite)
			bits = walk->request->bit_offset + 8 * type->size;
		if (!location->composite && !type->size_known)
			bits = walk->request->bit_offset + 8 * WINDOW_SMALL; /* a guess */
		uint64_t bytes = bits / 8 + (bits % 8 != 0);
		if (address - piece->address < bytes)
			end = bytes - (address - piece->address);
	}
	return end > size ? end : size;
}

/* Reads a window that begins at address. False if that fails, or would be no use. */
static bool fill_window(struct walk *walk, xs_addr address, size_t size, struct xs_error **err)
{
	const struct di_leaf_host *host = walk->request->host;
	struct di_answer answer;
	uint64_t bytes = extent(walk, address, size);
	if (bytes > WINDOW)
		bytes = WINDOW;
	if (walk->window.useless || bytes <= size)
		return false;
	if (bytes > WINDOW_SMALL && !walk->window.large)
		walk->window.large = xs_calloc(1, WINDOW);
	walk->window.data = bytes > WINDOW_SMALL ? walk->window.large : walk->window.small;
	walk->window.size = 0;
	di_answer_known(&answer);
	*err = host->memory(host->arg, address, walk->window.data, bytes, &answer);
	walk->window.useless = *err || answer.state != DI_ANSWER_KNOWN;
	if (walk->window.useless)
		return false;
	walk->window.address = address;
	walk->window.size = bytes;
	return true;
}

static struct xs_error *window_memory(
	void *arg, xs_addr address, void *ret, size_t size, struct di_answer *answer)
{
	struct walk *walk = arg;
	const struct di_leaf_host *host = walk->request->host;
	struct xs_error *err = NULL;
	uint64_t skip = address - walk->window.address;
	bool inside = skip < walk->window.size && size <= walk->window.size - skip;
	if (!inside && fill_window(walk, address, size, &err)) {
		skip = 0;
		inside = true;
	}
	if (err)
		return err;
	if (!inside)
		return host->memory(host->arg, address, ret, size, answer);
	memcpy(ret, walk->window.data + skip, size);
	return NULL;
}

static struct xs_error *pass_reg(
	void *arg, uint64_t reg, struct di_wide *ret, unsigned *bits, struct di_answer *answer)
{
	const struct di_leaf_host *host = ((struct walk *)arg)->request->host;
	return host->reg(host->arg, reg, ret, bits, answer);
}

static struct xs_error *pass_number(void *arg, Dwarf_Die *die, unsigned at, const xs_addr *object,
	struct di_wide *ret, struct di_answer *answer)
{
	const struct di_leaf_host *host = ((struct walk *)arg)->request->host;
	return host->number(host->arg, die, at, object, ret, answer);
}

/* --- numbers ---------------------------------------------------------------------------------- */

enum { NUMBER_TEXT = 24 }; /* room for 64 bits in decimal */

/* A number of 64 bits, as text at the end of buf. By hand, because printf was half of what a leaf
 * costs. */
static const char *number_text(bool negative, uint64_t number, char buf[static NUMBER_TEXT])
{
	char *at = buf + NUMBER_TEXT - 1;
	uint64_t rest = negative ? 0 - number : number;
	*at = '\0';
	do {
		*--at = (char)('0' + rest % 10);
		rest /= 10;
	} while (rest);
	if (negative)
		*--at = '-';
	return at;
}

/* --- paths ------------------------------------------------------------------------------------ */

static void path_add(struct walk *walk, const char *text, size_t len)
{
	walk->path.data =
		xs_vec_grow(walk->path.data, &walk->path.cap, walk->path.len + len + 1, 1);
	memcpy(walk->path.data + walk->path.len, text, len);
	walk->path.len += len;
	walk->path.data[walk->path.len] = '\0';
}

static void path_cut(struct walk *walk, size_t len)
{
	walk->path.len = len;
	walk->path.data[len] = '\0';
}

static void path_add_member(struct walk *walk, const char *name)
{
	path_add(walk, ".", 1);
	path_add(walk, name, strlen(name));
}

static void path_add_index(struct walk *walk, int64_t index)
{
	char buf[NUMBER_TEXT];
	const char *text = number_text(index < 0, (uint64_t)index, buf);
	path_add(walk, "[", 1);
	path_add(walk, text, strlen(text));
	path_add(walk, "]", 1);
}

/* --- leaves ----------------------------------------------------------------------------------- */

static void tell(struct walk *walk, struct di_leaf *leaf)
{
	leaf->path = walk->path.data;
	leaf->text = leaf->text ? leaf->text : "";
	walk->request->on_leaf(walk->request->arg, leaf);
	walk->told++;
	walk->cut |= walk->told >= walk->limit || (walk->request->enough && *walk->request->enough);
}

/* A leaf without a value. */
static void tell_answer(
	struct walk *walk, const struct di_type *type, const struct di_answer *answer)
{
	struct di_leaf leaf = {.type = type, .answer = answer};
	leaf.state = answer->state == DI_ANSWER_ERROR ? DI_LEAF_ERROR : DI_LEAF_OPTIMIZED_OUT;
	tell(walk, &leaf);
}

static void tell_problem(struct walk *walk, const struct di_type *type, enum di_why_code problem)
{
	struct di_answer answer;
	di_answer_error(&answer, problem, .number = {type->problem_about});
	tell_answer(walk, type, &answer);
}

static const char *integer_text(
	struct di_wide bits, unsigned size, bool is_signed, char buf[static DI_WIDE_TEXT])
{
	if (size > 64)
		return is_signed ? di_wide_text_s(di_wide_sext(bits, size), buf)
				 : di_wide_text_u(bits, buf);
	bool negative = is_signed && (bits.limb[0] >> (size - 1) & 1);
	if (negative && size < 64)
		bits.limb[0] |= UINT64_MAX << size;
	return number_text(negative, bits.limb[0], buf);
}

static const char *enumerator_name(const struct di_type *type, struct di_wide bits, unsigned size)
{
	struct di_wide value = type->base.kind == DI_BASE_SIGNED ? di_wide_sext(bits, size) : bits;
	for (size_t i = 0; i < type->enumerators.len; i++)
		if (di_wide_equal(type->enumerators.data[i].value, value))
			return type->enumerators.data[i].name;
	return NULL;
}

static void tell_value(
	struct walk *walk, const struct di_type *type, struct di_wide bits, unsigned size)
{
	char buf[DI_WIDE_TEXT > DI_FP_TEXT ? DI_WIDE_TEXT : DI_FP_TEXT];
	struct di_leaf leaf = {
		.type = type, .state = DI_LEAF_VALUE, .bits = bits, .bit_size = size};
	if (type->kind == DI_TYPE_POINTER) {
		snprintf(buf, sizeof buf, "0x%" PRIx64, bits.limb[0]);
		leaf.text = buf;
	} else if (type->base.kind == DI_BASE_FLOAT) {
		leaf.text = di_fp_text(type->base.format, bits, buf);
	} else {
		leaf.text = integer_text(bits, size, type->base.kind == DI_BASE_SIGNED, buf);
	}
	if (type->kind == DI_TYPE_ENUM)
		leaf.name = enumerator_name(type, bits, size);
	tell(walk, &leaf);
}

/* A base type, an enum, a pointer. */
static struct xs_error *walk_scalar(
	struct walk *walk, const struct di_type *type, uint64_t bit_offset, uint64_t bit_size)
{
	const struct di_location *location = walk->request->location;
	unsigned size = bit_size ? (unsigned)bit_size : type->base.bits;
	struct di_answer answer;
	struct di_wide bits;
	const struct di_piece *pointer = di_location_pointer(location, bit_offset, size);
	if (pointer && type->kind == DI_TYPE_POINTER) {
		struct di_leaf leaf = {.type = type,
			.state = DI_LEAF_VALUE,
			.text = "implicit",
			.pointer = pointer};
		tell(walk, &leaf);
		return NULL;
	}
	struct xs_error *err =
		walk->host.mistake
			? di_leaf_mistaken(&walk->host,
				  &(struct di_leaf_place){location, type, bit_offset, size,
					  bit_size ? walk->member_offset : UINT64_MAX, pointer},
				  &bits, &answer)
			: di_location_bits(&walk->host, location, bit_offset, size, &bits, &answer);
	if (err)
		return err;
	if (answer.why.code == DI_WHY_MISTAKE && answer.state == DI_ANSWER_KNOWN) {
		tell(walk, &(struct di_leaf){
				   .type = type, .state = DI_LEAF_VALUE, .text = "implicit"});
		return NULL;
	}
	if (pointer)
		di_answer_error(&answer, DI_WHY_POINTER_TYPE, .text = {type->name});
	if (answer.state == DI_ANSWER_KNOWN)
		tell_value(walk, type, bits, size);
	else
		tell_answer(walk, type, &answer);
	return NULL;
}

static struct xs_error *walk_any(
	struct walk *walk, const struct di_type *type, uint64_t bit_offset, uint64_t bit_size);

static struct xs_error *walk_complex(
	struct walk *walk, const struct di_type *type, uint64_t bit_offset)
{
	static const char *const names[] = {"real", "imag"};
	size_t len = walk->path.len;
	struct xs_error *err = NULL;
	for (unsigned i = 0; i < 2 && !err; i++) {
		path_add_member(walk, names[i]);
		err = walk_any(walk, type->target, bit_offset + i * 8 * type->target->size, 0);
		path_cut(walk, len);
	}
	return err;
}

/* Where the object at bit_offset is; NULL if it is not in memory. */
static const xs_addr *object_address(const struct walk *walk, uint64_t bit_offset, xs_addr *ret)
{
	return di_location_address(walk->request->location, bit_offset, ret) ? ret : NULL;
}

/* A bound is the same for all rows of an array: it is asked for once. */
static struct xs_error *count_of(struct walk *walk, const struct di_type *type,
	const xs_addr *object, uint64_t *ret, struct di_answer *answer)
{
	if (type->count_dynamic)
		for (size_t i = 0; i < walk->counts_len; i++)
			if (walk->counts[i].type == type) {
				di_answer_known(answer);
				*ret = walk->counts[i].count;
				return NULL;
			}
	struct xs_error *err = di_array_count(&walk->host, type, object, ret, answer);
	if (!err && type->count_dynamic && answer->state == DI_ANSWER_KNOWN &&
		walk->counts_len < COUNTS) {
		walk->counts[walk->counts_len].type = type;
		walk->counts[walk->counts_len++].count = *ret;
	}
	return err;
}

static void miss(struct walk *walk, uint64_t leaves)
{
	walk->missing = walk->missing > UINT64_MAX - leaves ? UINT64_MAX : walk->missing + leaves;
}

/* The elements of an array, from bit_offset on. */
static struct xs_error *walk_elements(struct walk *walk, const struct di_type *type,
	uint64_t bit_offset, uint64_t count, uint64_t stride)
{
	size_t len = walk->path.len;
	struct xs_error *err = NULL;
	for (uint64_t i = 0; i < count && !err; i++) {
		if (walk->cut) {
			uint64_t rest;
			if (__builtin_mul_overflow(count - i, type->target->leaves, &rest))
				rest = UINT64_MAX;
			miss(walk, rest);
			return NULL;
		}
		path_add_index(walk, (int64_t)((uint64_t)type->lower + i));
		err = walk_any(walk, type->target, bit_offset + i * stride, 0);
		path_cut(walk, len);
	}
	return err;
}

/* The elements of an array that are at an address of their own. */
static struct xs_error *walk_elsewhere(struct walk *walk, const struct di_type *type,
	xs_addr address, uint64_t count, uint64_t stride)
{
	const struct di_leaf_request *request = walk->request;
	struct di_leaf_request inner = *request;
	/* Not on the stack: it is large, and arrays nest. */
	struct di_location *location = xs_calloc(1, sizeof *location);
	di_location_memory(address, location);
	inner.location = location;
	inner.bit_offset = 0;
	inner.type = type;
	walk->request = &inner;
	struct xs_error *err = walk_elements(walk, type, 0, count, stride);
	walk->request = request;
	free(location);
	return err;
}

static struct xs_error *walk_array(
	struct walk *walk, const struct di_type *type, uint64_t bit_offset)
{
	struct di_type plain;
	type = di_leaf_array(&walk->host, type, &plain);
	uint64_t count = 0, stride = 0;
	struct di_answer answer;
	struct xs_error *err;
	xs_addr address, data = 0;
	const xs_addr *object = object_address(walk, bit_offset, &address);
	if ((err = di_array_exists(&walk->host, type, object, &answer)))
		return err;
	if (answer.state == DI_ANSWER_KNOWN &&
		(err = count_of(walk, type, object, &count, &answer)))
		return err;
	if (answer.state == DI_ANSWER_KNOWN && count > 0 &&
		(err = di_array_stride(&walk->host, type, object, &stride, &answer)))
		return err;
	if (answer.state == DI_ANSWER_KNOWN && count > 0 && type->data_elsewhere &&
		(err = di_array_data(&walk->host, type, object, &data, &answer)))
		return err;
	if (answer.state != DI_ANSWER_KNOWN) {
		tell_answer(walk, type, &answer);
		return NULL;
	}
	return type->data_elsewhere ? walk_elsewhere(walk, type, data, count, stride)
				    : walk_elements(walk, type, bit_offset, count, stride);
}

static struct xs_error *walk_member(struct walk *walk, const struct di_member *member,
	uint64_t bit_offset, const xs_addr *object)
{
	size_t len = walk->path.len;
	struct di_answer answer;
	uint64_t offset;
	struct xs_error *err = di_member_offset(&walk->host, member, object, &offset, &answer);
	if (err || di_leaf_lacks(&walk->host, member))
		return err;
	walk->member_offset = offset;
	if (member->name)
		path_add_member(walk, member->name);
	if (answer.state == DI_ANSWER_KNOWN)
		err = walk_any(walk, member->type, bit_offset + offset,
			member->bit_field ? member->bit_size : 0);
	else
		tell_answer(walk, member->type, &answer);
	path_cut(walk, len);
	return err;
}

static struct xs_error *walk_struct(
	struct walk *walk, const struct di_type *type, uint64_t bit_offset)
{
	struct xs_error *err = NULL;
	xs_addr address;
	const xs_addr *object = object_address(walk, bit_offset, &address);
	for (size_t i = 0; i < type->members.len && !err; i++)
		if (walk->cut)
			miss(walk, type->members.data[i].type->leaves);
		else
			err = walk_member(walk, &type->members.data[i], bit_offset, object);
	return err;
}

/* Whether a discriminant is in a range. */
static bool is_between(
	const struct di_base *base, struct di_wide bits, const struct di_label *label)
{
	if (base->kind == DI_BASE_SIGNED) {
		struct di_wide value = di_wide_sext(bits, base->bits);
		return di_wide_compare_s(label->lo, value) <= 0 &&
		       di_wide_compare_s(value, label->hi) <= 0;
	}
	return di_wide_compare_u(label->lo, bits) <= 0 && di_wide_compare_u(bits, label->hi) <= 0;
}

/* Which variant is there, plus 1; 0: the answer says why that is not known. */
static struct xs_error *choose_variant(struct walk *walk, const struct di_type *type,
	uint64_t bit_offset, size_t *ret, struct di_answer *answer)
{
	struct di_wide bits = {0};
	*ret = 0;
	di_answer_known(answer);
	if (di_leaf_wide_tag(&walk->host, type->discr, answer))
		return NULL;
	struct xs_error *err = type->discr ? di_location_bits(&walk->host, walk->request->location,
						     bit_offset + type->discr_offset,
						     type->discr->base.bits, &bits, answer)
					   : NULL;
	if (err || answer->state != DI_ANSWER_KNOWN)
		return err;
	for (size_t i = 0; type->discr && i < type->labels.len && !*ret; i++)
		if (is_between(&type->discr->base, bits, &type->labels.data[i]))
			*ret = type->labels.data[i].member + 1;
	/* Without a discriminant there is one variant, or nobody knows: rustc leaves it out where
	 * values of the other variants cannot be made, as of Result<T, Infallible>. */
	if (!type->discr && type->members.len > 1) {
		di_answer_error(answer, DI_WHY_VARIANT_UNTOLD, .number = {type->members.len});
		return NULL;
	}
	if (!*ret)
		*ret = type->discr ? type->otherwise : type->members.len;
	if (!*ret && !type->discr)
		di_answer_error(answer, DI_WHY_VARIANT_NONE);
	else if (!*ret)
		di_answer_error(answer, DI_WHY_VARIANT, .number = {bits.limb[0]});
	return NULL;
}

static struct xs_error *walk_variants(
	struct walk *walk, const struct di_type *type, uint64_t bit_offset)
{
	struct di_answer answer;
	size_t chosen, len = walk->path.len;
	struct xs_error *err = choose_variant(walk, type, bit_offset, &chosen, &answer);
	if (err)
		return err;
	if (!chosen) {
		tell_answer(walk, type, &answer);
		return NULL;
	}
	const struct di_type *variant = type->members.data[chosen - 1].type;
	const struct di_member *only = variant->members.len ? &variant->members.data[0] : NULL;
	if (variant->leaves || !type->discr || !only || !only->name)
		return walk_any(walk, variant, bit_offset, 0);
	path_add_member(walk, only->name);
	tell(walk, &(struct di_leaf){.type = only->type, .state = DI_LEAF_VALUE, .text = "{}"});
	path_cut(walk, len);
	return NULL;
}

static struct xs_error *walk_any(
	struct walk *walk, const struct di_type *type, uint64_t bit_offset, uint64_t bit_size)
{
	if (type->leaves == 0)
		return NULL;
	if (walk->visits == 0 || walk->cut) {
		walk->cut = true;
		miss(walk, type->leaves);
		return NULL;
	}
	walk->visits--;
	if (type->problem) {
		tell_problem(walk, type, type->problem);
		return NULL;
	}
	switch (type->kind) {
	case DI_TYPE_BASE:
	case DI_TYPE_ENUM:
	case DI_TYPE_POINTER:
		return walk_scalar(walk, type, bit_offset, bit_size);
	case DI_TYPE_COMPLEX:
		return walk_complex(walk, type, bit_offset);
	case DI_TYPE_STRUCT:
	case DI_TYPE_UNION:
		return walk_struct(walk, type, bit_offset);
	case DI_TYPE_VARIANTS:
		return walk_variants(walk, type, bit_offset);
	case DI_TYPE_ARRAY:
	case DI_TYPE_VECTOR:
		return walk_array(walk, type, bit_offset);
	case DI_TYPE_FUNCTION:
	case DI_TYPE_VOID:
	case DI_TYPE_UNSUPPORTED:
	case DI_TYPE_MALFORMED:
		break;
	}
	tell_problem(walk, type, DI_WHY_TYPE_WITHOUT_VALUES);
	return NULL;
}

/* Whether one state holds for the whole object: it has no place at all. */
static bool whole_state(const struct di_location *location, struct di_answer *ret)
{
	di_answer_copy(ret, &location->answer);
	if (location->answer.state != DI_ANSWER_KNOWN)
		return true;
	if (location->composite || (location->count && location->piece[0].kind != DI_PIECE_EMPTY))
		return false;
	if (ret->why.code == DI_WHY_NONE)
		di_answer_gone(ret, DI_WHY_EMPTY_LOCATION);
	ret->state = DI_ANSWER_OPTIMIZED_OUT;
	return true;
}

struct xs_error *di_leaves(const struct di_leaf_request *request)
{
	struct walk walk = {.request = request,
		.limit = request->max_leaves ? request->max_leaves : DI_LEAF_MAX};
	struct xs_error *err = NULL;
	struct di_answer answer;
	walk.visits = walk.limit > UINT64_MAX / (2 * VISITS_PER_LEAF)
			      ? UINT64_MAX
			      : (walk.limit + DI_TYPE_NESTING) * VISITS_PER_LEAF;
	walk.host = (struct di_leaf_host){.arg = &walk,
		.mistake = request->host->mistake,
		.reg = pass_reg,
		.memory = window_memory,
		.number = request->host->number ? pass_number : NULL};
	path_add(&walk, request->path, strlen(request->path));
	if (request->type->leaves && (whole_state(request->location, &answer) ||
					     di_leaf_too_small(request->host, request->location,
						     request->type, &answer)))
		tell_answer(&walk, request->type, &answer);
	else
		err = walk_any(&walk, request->type, request->bit_offset, request->bit_size);
	if (!err && walk.missing) {
		struct di_leaf leaf = {
			.type = request->type, .state = DI_LEAF_CUT, .missing = walk.missing};
		path_cut(&walk, strlen(request->path));
		tell(&walk, &leaf);
	}
	free(walk.path.data);
	free(walk.window.large);
	return err;
}
