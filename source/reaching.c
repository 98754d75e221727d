#include "source/reaching.h"

/* Points of one function that a search has to look at yet, and those that it has seen. */
struct search {
	const struct src_facts *facts;
	const struct src_function *function;
	bool *seen;
	XS_VEC(size_t) open;
};

static void search_begin(
	const struct src_facts *facts, const struct src_variable *variable, struct search *ret)
{
	*ret = (struct search){
		.facts = facts, .function = &facts->functions.data[variable->function]};
	ret->seen = xs_calloc(ret->function->count + 1, sizeof *ret->seen);
}

static void search_end(struct search *search)
{
	free(search->seen);
	xs_vec_deinit(&search->open);
}

static void search_add(struct search *search, size_t point)
{
	bool *seen = &search->seen[point - search->function->first];
	if (*seen || !search->facts->flow.points.data[point].reached)
		return;
	*seen = true;
	xs_vec_push(&search->open, point);
}

static const struct src_point *point_of(const struct src_facts *facts, size_t point)
{
	return &facts->flow.points.data[point];
}

static bool is_on(const struct src_facts *facts, size_t point, unsigned file, unsigned line)
{
	return point_of(facts, point)->line == line && point_of(facts, point)->file == file;
}

/* The use of a variable, or of what it is a part of, at a point; NULL: there is none. */
static const struct src_use *use_at(const struct src_facts *facts, size_t point, size_t variable)
{
	size_t use = point_of(facts, point)->use;
	if (use == SRC_NOWHERE)
		return NULL;
	size_t used = facts->uses.data[use].variable;
	return used == variable || used == facts->variables.data[variable].base
		       ? &facts->uses.data[use]
		       : NULL;
}

static bool is_known(const struct src_facts *facts, size_t variable)
{
	const struct src_variable *one = &facts->variables.data[variable];
	return !one->escapes && !facts->variables.data[one->base].escapes &&
	       !facts->functions.data[one->function].unclear;
}

void src_reaching_line(const struct src_facts *facts, size_t variable, unsigned file, unsigned line,
	struct src_reaching *ret)
{
	struct search search;
	bool any = false;
	*ret = (struct src_reaching){.unset = !is_known(facts, variable)};
	if (ret->unset)
		return;
	search_begin(facts, &facts->variables.data[variable], &search);
	size_t first = search.function->first;
	for (size_t p = first; p < first + search.function->count; p++)
		for (size_t i = 0;
			is_on(facts, p, file, line) && i < point_of(facts, p)->before.len; i++) {
			search_add(&search, point_of(facts, p)->before.data[i]);
			any |= point_of(facts, p)->reached;
		}
	ret->unset = !any;
	while (search.open.len) {
		size_t point = search.open.data[--search.open.len];
		const struct src_use *use = use_at(facts, point, variable);
		if (use && use->access & SRC_WRITE) {
			xs_vec_push(&ret->writes, (size_t)(use - facts->uses.data));
			if (!(use->access & SRC_PART))
				continue;
		}
		ret->unset |= point == first;
		for (size_t i = 0; i < point_of(facts, point)->before.len; i++)
			search_add(&search, point_of(facts, point)->before.data[i]);
	}
	search_end(&search);
}

void src_reaching_deinit(struct src_reaching *reaching)
{
	xs_vec_deinit(&reaching->writes);
}

bool src_is_written_on(const struct src_facts *facts, size_t variable, unsigned file, unsigned line)
{
	const struct src_function *function =
		&facts->functions.data[facts->variables.data[variable].function];
	for (size_t p = function->first; p < function->first + function->count; p++) {
		const struct src_use *use = use_at(facts, p, variable);
		if (use && use->access & SRC_WRITE && use->line == line && use->file == file)
			return true;
	}
	return false;
}

bool src_is_read_later(const struct src_facts *facts, size_t variable, size_t point)
{
	struct search search;
	bool ret = false;
	if (facts->functions.data[facts->variables.data[variable].function].unclear)
		return false;
	search_begin(facts, &facts->variables.data[variable], &search);
	search.seen[point - search.function->first] = true;
	for (size_t next = point; !ret; next = search.open.data[--search.open.len]) {
		const struct src_use *use = next != point ? use_at(facts, next, variable) : NULL;
		ret = use && use->access & SRC_READ;
		bool over =
			use && use->access & SRC_WRITE && !(use->access & (SRC_STEP | SRC_PART));
		for (size_t i = 0; !over && i < point_of(facts, next)->after.len; i++)
			search_add(&search, point_of(facts, next)->after.data[i]);
		if (!search.open.len)
			break;
	}
	search_end(&search);
	return ret;
}

bool src_is_live(const struct src_facts *facts, size_t variable, size_t point)
{
	return is_known(facts, variable) && src_is_read_later(facts, variable, point);
}

bool src_is_set(const struct src_facts *facts, size_t variable, size_t point)
{
	struct search search;
	bool ret = true;
	if (facts->functions.data[facts->variables.data[variable].function].unclear)
		return false;
	search_begin(facts, &facts->variables.data[variable], &search);
	search_add(&search, point);
	/* Nothing leads there: of no way nothing is known. */
	ret = search.open.len;
	while (ret && search.open.len) {
		size_t at = search.open.data[--search.open.len];
		const struct src_use *use = use_at(facts, at, variable);
		/* What could not be made out counts as a write and as an address. */
		if (use && use->access & SRC_WRITE && !(use->access & (SRC_PART | SRC_ADDRESS)))
			continue;
		ret = at != search.function->first;
		for (size_t i = 0; i < point_of(facts, at)->before.len; i++)
			search_add(&search, point_of(facts, at)->before.data[i]);
	}
	search_end(&search);
	return ret;
}

/* What reaches a point by what reaches those before it. */
#define NOTHING_YET (SIZE_MAX - 1)

/* What leaves a point, by what reaches it. */
static size_t passed_on(
	const struct src_facts *facts, size_t variable, size_t point, size_t reaching)
{
	const struct src_use *use = use_at(facts, point, variable);
	if (!use || !(use->access & SRC_WRITE))
		return reaching;
	return use->access & SRC_PART ? SRC_NOWHERE : (size_t)(use - facts->uses.data);
}

size_t *src_reaching_only(const struct src_facts *facts, size_t variable)
{
	struct search search;
	if (!is_known(facts, variable))
		return NULL;
	search_begin(facts, &facts->variables.data[variable], &search);
	size_t first = search.function->first, count = search.function->count;
	size_t *ret = xs_calloc(count + 1, sizeof *ret);
	for (size_t i = 0; i < count; i++)
		ret[i] = i ? NOTHING_YET : SRC_NOWHERE;
	if (count)
		search_add(&search, first);
	while (search.open.len) {
		size_t point = search.open.data[--search.open.len];
		search.seen[point - first] = false;
		size_t leaves = passed_on(facts, variable, point, ret[point - first]);
		for (size_t i = 0; i < point_of(facts, point)->after.len; i++) {
			size_t next = point_of(facts, point)->after.data[i];
			size_t *now = &ret[next - first];
			size_t then = *now == NOTHING_YET || *now == leaves ? leaves : SRC_NOWHERE;
			if (then == *now)
				continue;
			*now = then;
			search_add(&search, next);
		}
	}
	for (size_t i = 0; i < count; i++)
		ret[i] = ret[i] == NOTHING_YET ? SRC_NOWHERE : ret[i];
	search_end(&search);
	return ret;
}

bool src_can_follow(const struct src_facts *facts, size_t variable, unsigned file, unsigned line,
	unsigned later_file, unsigned later_line)
{
	struct search search;
	bool ret = false;
	if (!is_known(facts, variable))
		return false;
	search_begin(facts, &facts->variables.data[variable], &search);
	size_t first = search.function->first;
	for (size_t p = first; p < first + search.function->count; p++)
		if (is_on(facts, p, file, line))
			search_add(&search, p);
	while (!ret && search.open.len) {
		size_t point = search.open.data[--search.open.len];
		const struct src_use *use = use_at(facts, point, variable);
		ret = is_on(facts, point, later_file, later_line);
		if (use && use->access & SRC_WRITE)
			continue;
		for (size_t i = 0; i < point_of(facts, point)->after.len; i++)
			search_add(&search, point_of(facts, point)->after.data[i]);
	}
	search_end(&search);
	return ret;
}

/* Whether what was written is a constant. The address of a local is one if the local must be in
 * memory. */
static bool is_constant(const struct src_facts *facts, const struct src_use *write)
{
	return write->constant ||
	       (write->target != SRC_NOWHERE && facts->variables.data[write->target].escapes);
}

enum src_holds src_holds_on(
	const struct src_facts *facts, size_t variable, unsigned file, unsigned line)
{
	struct src_reaching reaching;
	size_t constants = 0, steps = 0;
	bool same = true;
	src_reaching_line(facts, variable, file, line, &reaching);
	for (size_t i = 0; i < reaching.writes.len; i++) {
		const struct src_use *one = &facts->uses.data[reaching.writes.data[i]];
		const struct src_use *other = &facts->uses.data[reaching.writes.data[0]];
		constants += !(one->access & SRC_STEP) && is_constant(facts, one);
		steps += (one->access & SRC_STEP) != 0;
		same &= one->key == other->key && one->target == other->target;
	}
	size_t count = reaching.writes.len;
	enum src_holds ret = constants + steps < count  ? SRC_HOLDS_ANYTHING
			     : reaching.unset || !count ? SRC_HOLDS_UNSET
			     : !steps && same           ? SRC_HOLDS_CONSTANT
			     : steps                    ? SRC_HOLDS_INDUCTION
							: SRC_HOLDS_ANYTHING;
	if (reaching.unset)
		ret = SRC_HOLDS_UNSET;
	src_reaching_deinit(&reaching);
	return ret;
}
