#include "oracle/truth/twin_track.h"

#include "base/map.h"

/* So many stops after both said the same, one may have moved on when the call ended. */
enum { MOMENT_STOPS = 8 };

const char *ora_twin_word_text(enum ora_twin_word word)
{
	static const char *const words[ORA_TWIN_WORDS] = {
		[ORA_TWIN_CONTRADICTION] = "contradiction",
		[ORA_TWIN_MOMENT] = "other-moment",
		[ORA_TWIN_UNASSIGNED] = "unassigned",
		[ORA_TWIN_GAP] = "gap",
		[ORA_TWIN_LATE] = "late",
		[ORA_TWIN_LOST] = "lost",
		[ORA_TWIN_ONE_WORD] = "one-word",
		[ORA_TWIN_MALFORMED] = "malformed",
	};
	return words[word];
}

static char *copy(const char *text)
{
	return text ? xs_strdup(text) : NULL;
}

static enum ora_twin_relation relation_of(const struct ora_twin_said said[2])
{
	if (said[0].value && said[1].value)
		return said[0].hash == said[1].hash ? ORA_TWIN_AGREE : ORA_TWIN_DIFFER;
	return said[0].value   ? ORA_TWIN_FIRST_ONLY
	       : said[1].value ? ORA_TWIN_SECOND_ONLY
			       : ORA_TWIN_NEITHER;
}

static bool is_apart(enum ora_twin_relation relation)
{
	return relation >= ORA_TWIN_DIFFER;
}

/* --- cases ------------------------------------------------------------------------------------ */

/* Adds what is said to an open case. */
static void note(struct ora_twin_track *track, const struct ora_twin_said said[2])
{
	struct ora_twin_case *open = &track->open;
	for (int i = 0; i < 2; i++) {
		open->steady &= said[i].hash == track->begun[i];
		track->kept[i] &= open->before && said[i].hash == track->agreed_hash;
		if (!said[i].value)
			continue;
		unsigned k = 0;
		while (k < track->heard_count && k < ORA_TWIN_HEARD &&
			track->heard[k] != said[i].hash)
			k++;
		if (k < track->heard_count && k < ORA_TWIN_HEARD)
			continue;
		if (track->heard_count < ORA_TWIN_HEARD)
			track->heard[track->heard_count] = said[i].hash;
		track->heard_count++;
	}
}

static void open_case(struct ora_twin_track *track, enum ora_twin_relation relation,
	const struct ora_twin_stop *stop, const struct ora_twin_said said[2])
{
	bool known = track->agreed && (!track->inner || track->agreed_stretch == stop->stretch);
	bool giver = relation == ORA_TWIN_SECOND_ONLY;
	track->open = (struct ora_twin_case){.relation = relation,
		.begin = *stop,
		.states = {said[0].state, said[1].state},
		.values = {copy(said[0].value), copy(said[1].value)},
		.whys = {said[0].why, said[1].why},
		.steady = true,
		.looped = track->agreed && track->agreed_stretch != stop->stretch,
		.held = known && stop->places[giver] == track->agreed_places[giver],
		.before = known ? xs_strdup(track->agreed) : NULL};
	track->begun[0] = said[0].hash;
	track->begun[1] = said[1].hash;
	track->heard_count = 0;
	track->kept[0] = track->kept[1] = known;
	note(track, said);
}

/* Ends it; after: what both say now, if they do. */
static void close_case(struct ora_twin_track *track, uint64_t seen, const char *after,
	uint64_t after_hash, struct ora_twin_case *ret)
{
	struct ora_twin_case *open = &track->open;
	open->after = copy(after);
	open->stops = seen - open->begin.seen;
	open->stops += !open->stops;
	open->keeps = track->kept[0] || track->kept[1];
	open->fits = track->heard_count <= ORA_TWIN_HEARD;
	for (unsigned i = 0; open->fits && i < track->heard_count; i++)
		open->fits = (open->before && track->heard[i] == track->agreed_hash) ||
			     (after && track->heard[i] == after_hash);
	*ret = *open;
	*open = (struct ora_twin_case){0};
}

/* Another call: nothing that was said before counts. */
static void forget(struct ora_twin_track *track)
{
	free(track->agreed);
	track->agreed = NULL;
	track->agreed_hash = track->agreed_stretch = 0;
	track->relation = ORA_TWIN_NEITHER;
}

bool ora_twin_track_hear(struct ora_twin_track *track, const struct ora_twin_stop *stop,
	const struct ora_twin_said said[2], struct ora_twin_case *ended)
{
	enum ora_twin_relation now = relation_of(said);
	bool apart = is_apart(track->relation), over = false;
	bool agree = now == ORA_TWIN_AGREE;
	if (track->call != stop->call) {
		if (apart)
			close_case(track, stop->seen, NULL, 0, ended);
		over = apart;
		forget(track);
		apart = false;
	} else if (apart && track->stretch != stop->stretch) {
		track->open.looped = true;
	}
	track->call = stop->call;
	track->stretch = stop->stretch;
	bool giver = track->relation == ORA_TWIN_SECOND_ONLY;
	bool moved = track->open.begin.places[giver] != stop->places[giver];
	if (apart && now == track->relation) {
		note(track, said);
		track->open.steady &= !moved || now == ORA_TWIN_DIFFER;
		track->open.last = stop->place->pc;
		return over;
	}
	if (apart) {
		track->open.held |= agree && !moved;
		close_case(track, stop->seen, agree ? said[0].value : NULL,
			agree ? said[0].hash : 0, ended);
		over = true;
	}
	track->relation = now;
	if (agree) {
		if (!track->agreed || track->agreed_hash != said[0].hash) {
			free(track->agreed);
			track->agreed = xs_strdup(said[0].value);
			track->agreed_hash = said[0].hash;
		}
		track->agreed_stretch = stop->stretch;
		memcpy(track->agreed_places, stop->places, sizeof track->agreed_places);
	}
	if (is_apart(now)) {
		open_case(track, now, stop, said);
		track->open.last = stop->place->pc;
	}
	return over;
}

bool ora_twin_track_end(struct ora_twin_track *track, uint64_t seen, struct ora_twin_case *ended)
{
	if (!is_apart(track->relation))
		return false;
	close_case(track, seen, NULL, 0, ended);
	forget(track);
	return true;
}

void ora_twin_case_deinit(struct ora_twin_case *one)
{
	free(one->values[0]);
	free(one->values[1]);
	free(one->before);
	free(one->after);
	*one = (struct ora_twin_case){0};
}

void ora_twin_track_deinit(struct ora_twin_track *track)
{
	ora_twin_case_deinit(&track->open);
	free(track->agreed);
}

/* --- words ------------------------------------------------------------------------------------ */

static enum ora_twin_word word_of_two(const struct ora_twin_case *one)
{
	/* Without it, they may be two moments of one assignment, or of none. */
	if (!one->before)
		return ORA_TWIN_UNASSIGNED;
	if (one->after)
		return one->fits ? ORA_TWIN_MOMENT : ORA_TWIN_CONTRADICTION;
	return one->keeps && one->stops <= MOMENT_STOPS ? ORA_TWIN_MOMENT : ORA_TWIN_CONTRADICTION;
}

enum ora_twin_word ora_twin_case_word(const struct ora_twin_case *one, bool sure)
{
	if (one->relation == ORA_TWIN_DIFFER)
		return word_of_two(one);
	bool second = one->relation == ORA_TWIN_SECOND_ONLY;
	const char *value = one->values[second];
	/* What operators may not do, whatever the program (dwarf/why_list.h). */
	if (one->states[!second] == ORA_STATE_ERROR &&
		one->whys[!second] >= DI_WHY_STACK_UNDERFLOW &&
		one->whys[!second] <= DI_WHY_TOO_MANY_PIECES)
		return ORA_TWIN_MALFORMED;
	bool returns = one->after && !strcmp(one->after, value);
	if (!one->steady || !one->held)
		return ORA_TWIN_ONE_WORD;
	if (!one->before)
		return sure && one->begin.whole && returns && !one->looped ? ORA_TWIN_LATE
									   : ORA_TWIN_ONE_WORD;
	if (strcmp(one->before, value) != 0)
		return ORA_TWIN_ONE_WORD;
	return returns && !one->looped ? ORA_TWIN_GAP : ORA_TWIN_LOST;
}
