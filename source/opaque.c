#include "source/opaque.h"

#include "base/map.h"
#include "source/clang.h"

/* Whether a variable is visible at an offset and was written before it. */
static bool is_set(const struct src_facts *facts, size_t variable, unsigned offset)
{
	const struct src_variable *one = &facts->variables.data[variable];
	if (!one->scalar || one->path || one->offset >= offset || offset < one->scope_begin ||
		offset >= one->scope)
		return false;
	/* Another one of its name may be nearer. */
	for (size_t i = 0; i < facts->variables.len; i++) {
		const struct src_variable *other = &facts->variables.data[i];
		if (i != variable && !other->path && !strcmp(other->name, one->name) &&
			other->offset < offset && offset >= other->scope_begin &&
			offset < other->scope && other->scope_begin >= one->scope_begin &&
			other->offset > one->offset)
			return false;
	}
	for (size_t i = 0; i < facts->uses.len; i++)
		if (facts->uses.data[i].variable == variable &&
			facts->uses.data[i].access & SRC_WRITE &&
			facts->uses.data[i].offset < offset)
			return true;
	return false;
}

/* How many variables could be passed at an offset of a function; prints them, if out is not NULL.
 */
static size_t pass(const struct src_facts *facts, size_t function, unsigned offset, FILE *out)
{
	size_t count = 0;
	for (size_t i = 0; i < facts->variables.len; i++) {
		const struct src_variable *one = &facts->variables.data[i];
		if (one->function != function || !is_set(facts, i, offset))
			continue;
		count++;
		if (out)
			fprintf(out, ", %s", one->name);
	}
	return count;
}

size_t src_inject_opaque(
	const struct src_unit *unit, const struct src_facts *facts, uint64_t seed, FILE *out)
{
	XS_VEC(unsigned) places = {0}; /* by function; 0: none */
	size_t count = 0;
	for (size_t f = 0; f < facts->functions.len; f++) {
		size_t able = 0;
		unsigned chosen = 0;
		for (size_t i = 0; i < facts->slots.len; i++) {
			const struct src_slot *slot = &facts->slots.data[i];
			if (slot->function != f || !pass(facts, f, slot->offset, NULL))
				continue;
			/* Each slot met so far is chosen with the same chance. */
			able++;
			if (xs_mix(seed ^ xs_mix(f << 20 ^ able)) % able == 0)
				chosen = slot->offset;
		}
		xs_vec_push(&places, chosen);
	}
	fputs("extern void " SRC_OPAQUE "(int, ...);\n", out);
	size_t at = 0;
	/* Functions come in the order of the text. */
	for (size_t f = 0; f < places.len; f++) {
		unsigned to = places.data[f];
		if (!to)
			continue;
		fwrite(unit->text + at, 1, to - at, out);
		fprintf(out, SRC_OPAQUE "(%zu", pass(facts, f, to, NULL));
		pass(facts, f, to, out);
		fputs(");\n", out);
		at = to;
		count++;
	}
	fwrite(unit->text + at, 1, unit->size - at, out);
	xs_vec_deinit(&places);
	return count;
}
