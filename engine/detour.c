#include "engine/detour.h"

#include "base/log.h"
#include "engine/branch.h"
#include "engine/inject.h"

enum {
	INT3 = 0xcc,
	JMP = 0xe9,
	PREFIX = 0x40,                 /* a REX prefix that says nothing */
	SHORT = 2,                     /* length of a branch with a displacement of one byte... */
	LONG = 6,                      /* ...and of four */
	JMP_SIZE = 5,                  /* of a jmp */
	EXTENT_MAX = ENG_INSN_MAX + 6, /* a lead, and a jmp with a prefix or a LONG */
	STUB_MAX = ENG_INSN_MAX + 12,  /* a lead, the branch, a jmp, a pad */
	AREA_SIZE = 65536,             /* mapped in one go */
	PAGE = ENG_PAGE_SIZE,
	ATTEMPTS = 6, /* places that may be taken already */
};

/* What a detour is found by. */
enum { BY_PC, BY_AT, BY_PAD, BY_STUB };

/* A displacement of four bytes, some of which are given. */
struct plan {
	xs_addr base;   /* what it is relative to */
	uint32_t value; /* the given bytes */
	uint32_t mask;  /* which ones are */
};

static const struct eng_detour *find(const struct eng_detours *detours, xs_addr key, uint64_t kind)
{
	const uint64_t *index = xs_map_find(&detours->index, key, kind);
	return index && *index ? &detours->list.data[*index - 1] : NULL;
}

bool eng_detours_has(const struct eng_detours *detours, xs_addr pc)
{
	return find(detours, pc, BY_PC);
}

static bool was_executed(const struct eng_detours *detours, xs_addr pc)
{
	const uint64_t *seen = xs_map_find(detours->seen, pc, 0);
	return seen && *seen;
}

static struct xs_error *decode(const struct eng_detours *detours, xs_addr pc, struct eng_insn *ret)
{
	uint8_t code[ENG_INSN_MAX];
	size_t size;
	struct xs_error *err = eng_traps_read(
		detours->traps, &detours->process->tracee, pc, code, sizeof code, &size);
	if (!err)
		*ret = eng_insn_decode(code, size);
	return err;
}

/* Whether the displacement from `from` to `to` has four bytes. */
static bool reaches(xs_addr from, xs_addr to)
{
	int64_t distance = (int64_t)(to - from);
	return distance >= INT32_MIN && distance <= INT32_MAX;
}

/* --- memory for stubs and pads -------------------------------------------------------------- */

static bool is_used(const struct eng_area *area, xs_addr at, unsigned size)
{
	for (xs_addr i = at - area->lo; i < at - area->lo + size; i++)
		if (area->used[i / 8] >> i % 8 & 1)
			return true;
	return false;
}

static void set_used(struct eng_detours *detours, xs_addr at, unsigned size, bool used)
{
	for (size_t i = 0; i < detours->areas.len; i++) {
		struct eng_area *area = &detours->areas.data[i];
		if (at < area->lo || at >= area->hi)
			continue;
		for (xs_addr bit = at - area->lo; bit < at - area->lo + size; bit++)
			area->used[bit / 8] =
				(uint8_t)(used ? area->used[bit / 8] | 1 << bit % 8
					       : area->used[bit / 8] & ~(1 << bit % 8));
	}
}

/* Where in an area the plan can lead to; 0 if nowhere. */
static xs_addr place_in(const struct eng_area *area, const struct plan *plan, unsigned size)
{
	/* An area of 64 KB meets a few values of the upper half of the displacement; of the lower
	 * half, bytes that are not given are tried, the lowest by sixteens. */
	xs_addr from = area->lo - plan->base, to = area->hi - plan->base;
	unsigned step0 = plan->mask & 0xff ? 256 : 16, step1 = plan->mask & 0xff00 ? 65536 : 256;
	for (xs_addr upper = from & ~(xs_addr)0xffff; (int64_t)(upper - to) < 0; upper += 0x10000) {
		if (((uint32_t)upper ^ plan->value) & plan->mask & 0xffff0000)
			continue;
		for (unsigned d1 = plan->value & plan->mask & 0xff00; d1 < 65536; d1 += step1)
			for (unsigned d0 = plan->value & plan->mask & 0xff; d0 < 256; d0 += step0) {
				xs_addr at = plan->base + upper + d1 + d0;
				if (at >= area->lo && at + size <= area->hi &&
					reaches(plan->base, at) && !is_used(area, at, size))
					return at;
			}
	}
	return 0;
}

/* Maps an area that the plan leads into. */
static struct xs_error *map_area(struct eng_detours *detours, xs_addr borrow,
	const struct plan *plan, unsigned attempt, int *signal, bool *ret)
{
	/* What is free of the displacement: far enough for the program's heap to grow. */
	uint32_t wish = (0x10 + 0x11 * attempt) % 0x80 << 24 | 0x2a << 16 | 0x80 << 8 | 0x10;
	uint32_t displacement = (plan->value & plan->mask) | (wish & ~plan->mask);
	xs_addr at = plan->base + (uint64_t)(int64_t)(int32_t)displacement;
	/* The second time a page or two may do where more did not fit. */
	xs_addr unit = attempt % 2 ? PAGE : AREA_SIZE;
	struct eng_area area = {.lo = at & ~(unit - 1)};
	area.hi = ((at + STUB_MAX - 1) & ~(unit - 1)) + unit;
	*ret = false;
	if (area.lo < AREA_SIZE || area.hi > UINT64_C(0x7fffffff0000))
		return NULL;
	struct xs_error *err =
		eng_inject_mmap(detours->process, borrow, area.lo, area.hi - area.lo, signal, ret);
	if (err || !*ret)
		return err;
	area.used = xs_calloc((area.hi - area.lo) / 8, 1);
	xs_vec_push(&detours->areas, area);
	return NULL;
}

/* Takes size bytes where the plan can lead to; *at is 0 if there are none. */
static struct xs_error *allocate(struct eng_detours *detours, xs_addr borrow,
	const struct plan *plan, unsigned size, int *signal, xs_addr *at)
{
	struct xs_error *err;
	bool mapped;
	*at = 0;
	for (size_t i = detours->areas.len; !*at && i-- > 0;)
		*at = place_in(&detours->areas.data[i], plan, size);
	for (unsigned attempt = 0; !*at && attempt < ATTEMPTS; attempt++) {
		if (detours->process->ended)
			return NULL;
		if ((err = map_area(detours, borrow, plan, attempt, signal, &mapped)))
			return err;
		if (mapped)
			*at = place_in(&detours->areas.data[detours->areas.len - 1], plan, size);
	}
	if (*at)
		set_used(detours, *at, size, true);
	return NULL;
}

/* --- redirecting ----------------------------------------------------------------------------- */

/* Whether the byte there is an int3 that nothing rests on: no pad, no part of a detour. */
static bool is_free(const struct eng_detours *detours, xs_addr at)
{
	if (at == detours->keep || !eng_traps_has(detours->traps, at) || find(detours, at, BY_PAD))
		return false;
	for (xs_addr pc = at - (EXTENT_MAX - 1); pc <= at; pc++) {
		const struct eng_detour *detour = find(detours, pc, BY_AT);
		if (detour && at < pc + detour->extent)
			return false;
	}
	return true;
}

/* Whether none of these bytes is part of an instruction that was executed: all are traps, and none
 * but the first may even begin one. */
static bool is_untouched(const struct eng_detours *detours, xs_addr pc, unsigned length)
{
	for (unsigned i = 0; i < length; i++)
		if (was_executed(detours, pc + i) || !eng_traps_has(detours->traps, pc + i))
			return false;
	return length;
}

/* A byte that a SHORT branch can jump to, in the midst of an instruction that was never executed,
 * so that nobody else arrives there; 0 if there is none. */
static struct xs_error *find_pad(const struct eng_detours *detours, xs_addr pc, xs_addr *ret)
{
	xs_addr next = pc + SHORT, lo = next - 128, hi = next + 127, at = lo;
	struct eng_insn insn;
	struct xs_error *err;
	*ret = 0;
	/* Instructions are told from here on, one after the other; it is certain that they begin
	 * where one was executed. */
	while (at < pc && !was_executed(detours, at))
		at++;
	while (at <= hi) {
		if ((err = decode(detours, at, &insn)))
			return err;
		if (is_untouched(detours, at, insn.length))
			for (unsigned i = 1; i < insn.length; i++)
				if (at + i <= hi && is_free(detours, at + i)) {
					*ret = at + i;
					return NULL;
				}
		/* What is executed begins where it was, whatever lies before it. */
		xs_addr end = at + (insn.length ? insn.length : 1);
		for (at++; at < end && !was_executed(detours, at); at++)
			;
	}
	return NULL;
}

/* Redirects the jump of a branch to a pad. */
static struct xs_error *redirect(struct eng_detours *detours, struct eng_detour *detour,
	const uint8_t *code, int *signal, bool *ret)
{
	struct eng_tracee *tracee = &detours->process->tracee;
	struct plan plan = {.base = detour->pc + detour->length};
	uint8_t bytes[LONG];
	const uint8_t pad = INT3;
	struct xs_error *err;
	*ret = false;
	err = detour->length == SHORT
		      ? find_pad(detours, detour->pc, &detour->pad)
		      : allocate(detours, detour->pc, &plan, 1, signal, &detour->pad);
	if (err || !detour->pad)
		return err;
	if (detour->length == LONG && (err = eng_tracee_write(tracee, detour->pad, &pad, 1)))
		return err;
	uint64_t displacement = detour->pad - plan.base;
	memcpy(bytes, code, detour->length);
	if (detour->length == SHORT)
		bytes[1] = (uint8_t)displacement;
	else
		memcpy(bytes + 2, &(uint32_t){(uint32_t)displacement}, 4);
	detour->extent = detour->length;
	detour->stub = 0;
	*ret = true;
	return eng_traps_patch(detours->traps, tracee, detour->pc, bytes, detour->length);
}

/* --- diverting ------------------------------------------------------------------------------- */

/* The instruction before a branch, if it was executed and can be anywhere: *length is 0 if not. */
static struct xs_error *find_lead(
	const struct eng_detours *detours, xs_addr pc, struct eng_insn *lead, unsigned *length)
{
	struct xs_error *err;
	for (*length = 1; *length <= ENG_INSN_MAX; ++*length) {
		xs_addr at = pc - *length;
		if (!was_executed(detours, at))
			continue;
		if ((err = decode(detours, at, lead)))
			return err;
		/* Its own bytes are there: all that it can do has been seen. */
		bool done = lead->length == *length && lead->kind == ENG_INSN_PLAIN &&
			    at != detours->keep;
		for (unsigned i = 0; i < *length; i++)
			done &= !eng_traps_covers(detours->traps, at + i);
		if (done)
			return NULL;
		break;
	}
	*length = 0;
	return NULL;
}

/* Which of the bytes behind a branch can be ours, and which begin an instruction but can be another
 * trap. */
static struct xs_error *find_owned(
	const struct eng_detours *detours, struct eng_detour *detour, uint32_t *begins)
{
	xs_addr at = detour->pc + detour->length, end = detour->pc + EXTENT_MAX - ENG_INSN_MAX;
	struct eng_insn insn;
	struct xs_error *err;
	detour->owned = *begins = 0;
	while (at < end) {
		if ((err = decode(detours, at, &insn)))
			return err;
		if (!is_untouched(detours, at, insn.length))
			return NULL;
		if (is_free(detours, at))
			*begins |= UINT32_C(1) << (at - detour->at);
		for (unsigned i = 1; i < insn.length && at + i < end; i++)
			if (is_free(detours, at + i))
				detour->owned |= UINT32_C(1) << (at + i - detour->at);
		at += insn.length;
	}
	return NULL;
}

static void put_displacement(uint8_t *bytes, xs_addr from, xs_addr to)
{
	uint32_t displacement = (uint32_t)(to - from);
	memcpy(bytes, &displacement, sizeof displacement);
}

/* The lead, the branch and a pad, at detour->stub. *size is 0 if something is too far away. */
static struct xs_error *make_stub(const struct eng_detours *detours, struct eng_detour *detour,
	const struct eng_insn *insn, const struct eng_insn *lead, uint8_t *bytes, size_t *size)
{
	xs_addr next = detour->pc + insn->length, target = eng_insn_target(insn, detour->pc);
	size_t moved = detour->pc - detour->at, got;
	xs_addr branch = detour->stub + moved, end = branch + LONG;
	struct xs_error *err = eng_traps_read(
		detours->traps, &detours->process->tracee, detour->at, bytes, moved, &got);
	*size = 0;
	if (err || got < moved)
		return err;
	if (moved && lead->relative) {
		int32_t offset;
		memcpy(&offset, bytes + lead->relative, sizeof offset);
		xs_addr operand = detour->pc + (uint64_t)(int64_t)offset;
		if (!reaches(branch, operand))
			return NULL;
		put_displacement(bytes + lead->relative, branch, operand);
	}
	if (!reaches(end, target) || !reaches(end + JMP_SIZE, next))
		return NULL;
	detour->pad = end + (detour->taken ? JMP_SIZE : 0);
	bytes[moved] = 0x0f;
	bytes[moved + 1] = (uint8_t)(0x80 | insn->condition);
	put_displacement(bytes + moved + 2, end, detour->taken ? detour->pad : target);
	if (detour->taken) {
		bytes[moved + LONG] = JMP;
		put_displacement(bytes + moved + LONG + 1, detour->pad, next);
	}
	*size = detour->pad - detour->stub + 1;
	bytes[*size - 1] = INT3;
	return NULL;
}

/* Puts a jmp in the place of a branch or its lead, with so many prefixes before it. Its highest
 * byte is to be ENG_TRAP_INVALID or not; it can be if it is in `begins`. */
static struct xs_error *divert(struct eng_detours *detours, struct eng_detour *detour,
	const struct eng_insn *insn, const struct eng_insn *lead, unsigned prefixes,
	uint32_t begins, bool invalid, int *signal, bool *ret)
{
	struct eng_tracee *tracee = &detours->process->tracee;
	unsigned moved = (unsigned)(detour->pc - detour->at), size = prefixes + JMP_SIZE;
	unsigned extent = size > moved + detour->length ? size : moved + detour->length;
	const uint8_t *image = eng_traps_image(detours->traps, detour->at, extent);
	struct plan plan = {.base = detour->at + size};
	uint8_t bytes[EXTENT_MAX], stub[STUB_MAX];
	bool ours[EXTENT_MAX];
	size_t stub_size = 0;
	struct xs_error *err;
	*ret = false;
	if (!image || (moved && moved < prefixes + 1) || (invalid && !(begins >> (size - 1) & 1)))
		return NULL;
	for (unsigned i = 0; i < extent; i++) {
		unsigned shift = 8 * (i - prefixes - 1);
		ours[i] = i < moved + detour->length || detour->owned >> i & 1;
		/* Whoever comes to a branch whose lead was moved must trap. */
		if (moved && i == moved)
			ours[i] = false;
		if (i <= prefixes || i >= size || ours[i])
			continue;
		ours[i] = invalid && i == size - 1;
		plan.value |= (uint32_t)(ours[i] ? ENG_TRAP_INVALID : image[i]) << shift;
		plan.mask |= UINT32_C(0xff) << shift;
	}
	if ((err = allocate(detours, detour->pc, &plan, STUB_MAX, signal, &detour->stub)) ||
		!detour->stub)
		return err;
	if ((err = make_stub(detours, detour, insn, lead, stub, &stub_size)))
		return err;
	if (!stub_size) {
		set_used(detours, detour->stub, STUB_MAX, false);
		detour->stub = 0;
		return NULL;
	}
	if ((err = eng_tracee_write(tracee, detour->stub, stub, stub_size)))
		return err;
	memset(bytes, INT3, sizeof bytes); /* what is too long for a jmp: nobody comes there */
	memset(bytes, PREFIX, prefixes);
	bytes[prefixes] = JMP;
	put_displacement(bytes + prefixes + 1, plan.base, detour->stub);
	detour->extent = (uint8_t)extent;
	detour->owned |= (uint32_t)invalid << (size - 1);
	detour->owned &= (UINT32_C(1) << size) - 1;
	for (unsigned i = 0; !err && i < extent; i++)
		if (ours[i])
			err = eng_traps_patch(detours->traps, tracee, detour->at + i, &bytes[i], 1);
	*ret = true;
	return err;
}

/* Diverts a branch in whichever way it can be done. */
static struct xs_error *divert_somehow(struct eng_detours *detours, struct eng_detour *detour,
	const struct eng_insn *insn, int *signal, bool *ret)
{
	struct eng_insn lead = {0};
	struct xs_error *err;
	unsigned length = 0;
	*ret = false;
	if (detour->length == SHORT && (err = find_lead(detours, detour->pc, &lead, &length)))
		return err;
	for (unsigned way = 0; !*ret && way < 8; way++) {
		bool moves = way & 2;
		uint32_t begins;
		if (detours->process->ended)
			return NULL;
		if (moves && !length)
			continue;
		detour->at = moves ? detour->pc - length : detour->pc;
		if ((err = eng_detours_disturb(detours, detour->at, detour->pc)) ||
			(err = find_owned(detours, detour, &begins)) ||
			(err = divert(detours, detour, insn, &lead, way & 1, begins, way & 4,
				 signal, ret)))
			return err;
	}
	return NULL;
}

/* --- all of them ----------------------------------------------------------------------------- */

static void set_index(struct eng_detours *detours, const struct eng_detour *detour, uint64_t index)
{
	*xs_map_at(&detours->index, detour->pc, BY_PC) = index;
	*xs_map_at(&detours->index, detour->at, BY_AT) = index;
	*xs_map_at(&detours->index, detour->pad, BY_PAD) = index;
	if (detour->stub)
		*xs_map_at(&detours->index, detour->stub, BY_STUB) = index;
}

struct xs_error *eng_detours_add(struct eng_detours *detours, xs_addr pc,
	const struct eng_insn *insn, bool taken, int *signal, bool *ret)
{
	struct eng_detour detour = {.pc = pc,
		.at = pc,
		.length = insn->length,
		.condition = insn->condition,
		.taken = taken};
	uint8_t code[LONG];
	size_t size;
	struct xs_error *err;
	*ret = false;
	/* jrcxz and the loops have no long form, and no compiler uses them. */
	if (pc == detours->keep || insn->condition >= 0xe0 ||
		(insn->length != SHORT && insn->length != LONG) ||
		!eng_traps_image(detours->traps, pc, insn->length))
		return NULL;
	if ((err = eng_traps_read(
		     detours->traps, &detours->process->tracee, pc, code, insn->length, &size)) ||
		(err = eng_detours_disturb(detours, pc, pc + insn->length)))
		return err;
	if (taken && (err = redirect(detours, &detour, code, signal, ret)))
		return err;
	if (!*ret)
		err = divert_somehow(detours, &detour, insn, signal, ret);
	xs_log(XS_LOG_ENGINE, XS_LOG_DEBUG, "branch at 0x%" PRIx64 ", %u bytes, %s: %s", pc,
		(unsigned)insn->length, taken ? "not to be taken" : "to be taken",
		!*ret            ? "no detour"
		: !detour.stub   ? "redirected"
		: detour.at < pc ? "diverted with its lead"
				 : "diverted");
	if (err || !*ret)
		return err;
	xs_vec_push(&detours->list, detour);
	set_index(detours, &detour, detours->list.len);
	return NULL;
}

/* It is found no more, and its memory is free. */
static void unlist(struct eng_detours *detours, const struct eng_detour *detour)
{
	set_index(detours, detour, 0);
	if (detour->stub)
		set_used(detours, detour->stub, STUB_MAX, false);
	else
		set_used(detours, detour->pad, 1, false);
}

void eng_detours_forget(struct eng_detours *detours, xs_addr lo, xs_addr hi)
{
	for (size_t i = 0; i < detours->list.len; i++) {
		struct eng_detour detour = detours->list.data[i];
		if (lo <= detour.pc && detour.pc < hi &&
			find(detours, detour.pc, BY_PC) == &detours->list.data[i])
			unlist(detours, &detour);
	}
}

static struct xs_error *remove_detour(struct eng_detours *detours, struct eng_detour detour)
{
	struct eng_tracee *tracee = &detours->process->tracee;
	struct xs_error *err;
	unlist(detours, &detour);
	/* Others before it may rest on its bytes. */
	if ((err = eng_detours_disturb(detours, detour.at, detour.at + detour.extent)))
		return err;
	for (unsigned i = 0; i < detour.extent; i++)
		if (detour.owned >> i & 1 && (err = eng_traps_set(detours->traps, tracee,
						      detour.at + i, detour.at + i + 1, true)))
			return err;
	if (detour.at < detour.pc &&
		(err = eng_traps_set(detours->traps, tracee, detour.at, detour.pc, false)))
		return err;
	return eng_traps_set(detours->traps, tracee, detour.pc, detour.pc + detour.length, true);
}

struct xs_error *eng_detours_disturb(struct eng_detours *detours, xs_addr lo, xs_addr hi)
{
	struct xs_error *err = NULL;
	if (!detours->list.len)
		return NULL;
	for (xs_addr at = lo - (EXTENT_MAX - 1); !err && at < hi; at++) {
		const struct eng_detour *detour = find(detours, at, BY_AT);
		if (detour && at + detour->extent > lo)
			err = remove_detour(detours, *detour);
	}
	return err ? err : eng_detours_vacate(detours, lo, hi);
}

struct xs_error *eng_detours_vacate(struct eng_detours *detours, xs_addr lo, xs_addr hi)
{
	struct xs_error *err = NULL;
	if (!detours->list.len)
		return NULL;
	for (xs_addr at = lo; !err && at < hi; at++) {
		const struct eng_detour *detour = find(detours, at, BY_PAD);
		if (detour)
			err = remove_detour(detours, *detour);
		for (xs_addr from = at - (EXTENT_MAX - 1); !err && from < at; from++) {
			detour = find(detours, from, BY_AT);
			if (detour && at < from + detour->extent &&
				detour->owned >> (at - from) & 1)
				err = remove_detour(detours, *detour);
		}
	}
	return err;
}

xs_addr eng_detours_pc(
	const struct eng_detours *detours, const struct user_regs_struct *regs, bool trapped)
{
	const struct eng_detour *detour = trapped ? find(detours, regs->rip - 1, BY_PAD) : NULL;
	struct user_regs_struct copy = *regs;
	/* The flags are still what the branch saw: if they do not fit, somebody jumped into the
	 * midst of an instruction that a pad is in. */
	if (detour)
		return eng_branch_taken(detour->condition, &copy) == detour->taken ? detour->pc
										   : XS_ADDR_NONE;
	for (xs_addr at = regs->rip - (STUB_MAX - 1); detours->areas.len && at <= regs->rip; at++)
		if ((detour = find(detours, at, BY_STUB)))
			return regs->rip < at + (detour->pc - detour->at) ? detour->at : detour->pc;
	return XS_ADDR_NONE;
}

void eng_detours_deinit(struct eng_detours *detours)
{
	for (size_t i = 0; i < detours->areas.len; i++)
		free(detours->areas.data[i].used);
	xs_vec_deinit(&detours->areas);
	xs_vec_deinit(&detours->list);
	xs_map_deinit(&detours->index);
}
