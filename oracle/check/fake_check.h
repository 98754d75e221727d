/* fake_check.h - a check over traces that nobody recorded (fake_trace.h), for tests. */
#ifndef ORA_FAKE_CHECK_H
#define ORA_FAKE_CHECK_H

#include "oracle/check/check.h"
#include "oracle/judge/fake_trace.h"

struct fake_check {
	struct fake *fake;
	struct ora_check check;
};

/* Prepares a check of all traces, whose evidence is fake_program's DWARF. The roles are in one
 * text, with a blank after each: `unopt opt `. */
static inline void fake_check_begin(struct fake_check *one, struct fake *fake, const char *roles)
{
	one->fake = fake;
	fake_traces(fake);
	one->check = (struct ora_check){
		.store = fake->store, .count = fake->count, .subject = FAKE_PROGRAM};
	for (size_t i = 0; i < fake->count; i++) {
		size_t length = strcspn(roles, " ");
		char *role = xs_asprintf("%.*s", (int)length, roles);
		xs_vec_push(&fake->texts, role);
		one->check.traces[i] = &fake->list.vec.data[i];
		one->check.roles[i] = role;
		roles += length + (roles[length] == ' ');
	}
	ora_check_begin(&one->check);
}

/* Judges, and says what was found; the check is over then. */
static inline const char *fake_check_end(struct fake_check *one)
{
	ora_check_judge(&one->check);
	const char *ret = fake_findings(one->fake, &one->check.verdicts);
	ora_check_deinit(&one->check);
	return ret;
}

#endif
