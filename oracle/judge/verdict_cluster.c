/* verdict_cluster.c - what two findings have in common, which finding stands for them, and which
 * cluster comes first. */
#include "base/map.h"
#include "base/path.h"
#include "oracle/judge/verdict.h"

/* By what is there to be seen, and not by what is thought of it: an id outlives the rules. */
void ora_finding_identify(const struct ora_verdicts *verdicts, struct ora_finding *finding)
{
	const struct ora_difference *one = finding->difference;
	uint64_t hash = xs_hash_text(0xcbf29ce484222325, ora_aspect_text(one->aspect));
	hash = xs_hash_text(hash, xs_base_name(verdicts->subject));
	hash = xs_hash_text(xs_hash_text(hash, one->scope), one->path);
	hash = xs_hash_text(xs_hash_text(hash, one->module), one->function);
	hash = xs_mix(hash ^ one->decl_line) ^ xs_mix(one->pc ^ xs_mix(one->prev ^ one->n));
	hash = xs_mix(hash ^ one->frame);
	for (size_t w = 0; w < verdicts->comparison->count; w++)
		if (one->said[w].heard)
			hash = xs_mix(xs_hash_text(hash, verdicts->witnesses[w]) ^
				      (uint64_t)one->said[w].state);
	snprintf(finding->id, sizeof finding->id, "%012" PRIx64, hash & 0xffffffffffff);
}

/* --- order ------------------------------------------------------------------------------------ */

/* Crashes, wrong values, lost ones, what is shown out of scope, control facts; then what xstep
 * itself is to be looked at for; artefacts last. */
static unsigned weight(const struct ora_finding *finding)
{
	if (finding->artefact)
		return 6;
	if (*finding->group == 'X')
		return 5;
	if (finding->kind == ORA_KIND_CRASH)
		return 0;
	switch (finding->difference->aspect) {
	case ORA_ASPECT_VARIABLE:
	case ORA_ASPECT_BUILDS:
	case ORA_ASPECT_LOOKUP:
	case ORA_ASPECT_REGISTER:
		return finding->kind == ORA_KIND_LIE ? 1 : finding->kind == ORA_KIND_LOSS ? 2 : 3;
	default:
		return 4;
	}
}

static int by_weight(const void *a, const void *b, void *context)
{
	const struct ora_verdicts *verdicts = context;
	const struct ora_cluster *left = a, *right = b;
	const struct ora_finding *one = &verdicts->findings.data[left->first];
	const struct ora_finding *other = &verdicts->findings.data[right->first];
	unsigned mine = weight(one), theirs = weight(other);
	if (mine != theirs)
		return mine < theirs ? -1 : 1;
	if (one->basis != other->basis)
		return one->basis < other->basis ? -1 : 1;
	if (left->places != right->places)
		return left->places > right->places ? -1 : 1;
	return left->first < right->first ? -1 : 1;
}

/* --- counts ----------------------------------------------------------------------------------- */

/* How many different numbers there are; they are sorted. */
static uint64_t count_different(uint64_t *list, size_t count)
{
	uint64_t ret = 0;
	for (size_t i = 0; i < count; i++)
		ret += !i || list[i] != list[i - 1];
	return ret;
}

static int by_number(const void *a, const void *b)
{
	uint64_t left = *(const uint64_t *)a, right = *(const uint64_t *)b;
	return left < right ? -1 : left > right;
}

static int by_start(const void *a, const void *b)
{
	const struct ora_span *left = a, *right = b;
	return left->from < right->from ? -1 : left->from > right->from;
}

/* At how many stops one of the spans is. */
static uint64_t count_stops(struct ora_span *spans, size_t count)
{
	uint64_t ret = 0, reached = 0;
	qsort(spans, count, sizeof *spans, by_start);
	for (size_t i = 0; i < count; i++) {
		uint64_t from = spans[i].from > reached ? spans[i].from : reached;
		if (spans[i].to > from)
			ret += spans[i].to - from;
		reached = spans[i].to > reached ? spans[i].to : reached;
	}
	return ret;
}

static void count_cluster(const struct ora_verdicts *verdicts, size_t number)
{
	struct ora_cluster *cluster = &verdicts->clusters.data[number];
	XS_VEC(uint64_t) places = {0};
	XS_VEC(uint64_t) leaves = {0};
	XS_VEC(struct ora_span) spans = {0};
	uint64_t uncounted = 0; /* of those that only count them */
	for (size_t i = 0; i < verdicts->findings.len; i++) {
		const struct ora_difference *one = verdicts->findings.data[i].difference;
		if (verdicts->findings.data[i].cluster != number + 1)
			continue;
		xs_vec_push(&places, xs_hash_text(one->pc, one->module));
		uint64_t leaf = xs_hash_text(xs_hash_text(one->decl_line, one->scope), one->path);
		xs_vec_push(&leaves, leaf);
		for (size_t k = 0; k < one->spans.len; k++)
			xs_vec_push(&spans, one->spans.data[k]);
		uncounted += one->spans.len ? 0 : one->stops;
	}
	qsort(places.data, places.len, sizeof *places.data, by_number);
	qsort(leaves.data, leaves.len, sizeof *leaves.data, by_number);
	cluster->places = count_different(places.data, places.len);
	cluster->leaves = count_different(leaves.data, leaves.len);
	cluster->stops = uncounted + (spans.len ? count_stops(spans.data, spans.len) : 0);
	xs_vec_deinit(&places);
	xs_vec_deinit(&leaves);
	xs_vec_deinit(&spans);
}

static void sort(struct ora_verdicts *verdicts)
{
	size_t count = verdicts->clusters.len;
	XS_AUTO_FREE size_t *moved = xs_calloc(count + 1, sizeof *moved);
	if (count)
		qsort_r(verdicts->clusters.data, count, sizeof *verdicts->clusters.data, by_weight,
			verdicts);
	for (size_t i = 0; i < count; i++)
		moved[verdicts->findings.data[verdicts->clusters.data[i].first].cluster] = i + 1;
	for (size_t i = 0; i < verdicts->findings.len; i++)
		verdicts->findings.data[i].cluster = moved[verdicts->findings.data[i].cluster];
}

/* --- clusters --------------------------------------------------------------------------------- */

void ora_verdicts_cluster(struct ora_verdicts *verdicts)
{
	struct xs_map index = {0}; /* of a signature -> cluster, plus 1 */
	verdicts->clusters.len = 0;
	memset(verdicts->contested, 0, sizeof verdicts->contested);
	for (size_t i = 0; i < verdicts->findings.len; i++) {
		struct ora_finding *finding = &verdicts->findings.data[i];
		finding->cluster = 0;
		if (finding->contest) {
			verdicts->contested[finding->contest]++;
			continue;
		}
		uint64_t *at = xs_map_at(&index, xs_hash_text(31, finding->signature),
			finding->artefact * ORA_BASIS_COUNT + finding->basis);
		if (!*at) {
			xs_vec_push(&verdicts->clusters, ((struct ora_cluster){.first = i}));
			*at = verdicts->clusters.len;
		}
		finding->cluster = *at;
		struct ora_cluster *cluster = &verdicts->clusters.data[*at - 1];
		cluster->count++;
		/* The one that the debuggers were asked about stands for the others. */
		if (finding->proof.asked && !verdicts->findings.data[cluster->first].proof.asked)
			cluster->first = i;
	}
	xs_map_deinit(&index);
	for (size_t i = 0; i < verdicts->clusters.len; i++)
		count_cluster(verdicts, i);
	sort(verdicts);
}
