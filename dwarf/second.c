#include "dwarf/second.h"

#include <dwarf.h>
#include <gelf.h>
#include <libunwind.h>

#include "dwarf/op.h"
#include "dwarf/words.h"

/* Exported by libunwind for those who find tables themselves, but in no header of it. */
#define search_unwind_table UNW_OBJ(dwarf_search_unwind_table)
extern int search_unwind_table(unw_addr_space_t as, unw_word_t ip, unw_dyn_info_t *di,
	unw_proc_info_t *pi, int need_unwind_info, void *arg);

enum {
	PAGE = 4096,
	PAGES = 32, /* of the target that are kept during one walk */
	TABLE_ENCODING = DW_EH_PE_datarel | DW_EH_PE_sdata4, /* the one that can be searched */
};

/* libunwind reads word by word. The machine does not change during a walk, so each page is read
 * once. */
struct page {
	xs_addr addr;       /* of the page; XS_ADDR_NONE if there is none here */
	uint8_t data[PAGE]; /* its content */
};

struct di_second {
	unw_addr_space_t space;         /* holds the accessors below */
	const struct di_target *target; /* of the walk that is going on */
	bool missed;                    /* find_proc_info() found nothing during this step */
	const struct di_module *blind;  /* and why: this one has no .eh_frame_hdr */
	struct page page[PAGES];        /* by page number, modulo */
};

/* --- what libunwind asks ---------------------------------------------------------------------- */

static bool read_memory(struct di_second *second, xs_addr addr, void *ret, size_t size)
{
	const struct di_target *target = second->target;
	xs_addr base = addr & ~(xs_addr)(PAGE - 1);
	struct page *page = &second->page[base / PAGE % PAGES];
	if (addr - base + size > PAGE)
		return target->memory(target->arg, addr, ret, size);
	if (page->addr != base) {
		page->addr = XS_ADDR_NONE;
		/* A made-up machine may have less than a page. */
		if (!target->memory(target->arg, base, page->data, PAGE))
			return target->memory(target->arg, addr, ret, size);
		page->addr = base;
	}
	memcpy(ret, page->data + (addr - base), size);
	return true;
}

static int access_mem(
	unw_addr_space_t space, unw_word_t addr, unw_word_t *value, int write, void *arg)
{
	(void)space;
	if (write || !read_memory(arg, addr, value, sizeof *value))
		return -UNW_EINVAL;
	return 0;
}

static int access_reg(
	unw_addr_space_t space, unw_regnum_t reg, unw_word_t *value, int write, void *arg)
{
	(void)space;
	const struct di_second *second = arg;
	uint8_t bytes[DI_REG_BYTES];
	unsigned size;
	/* libunwind's numbers are DWARF's, up to RIP. */
	if (write || reg < 0 || reg >= DI_REG_GENERAL ||
		!second->target->reg(second->target->arg, (unsigned)reg, bytes, &size) ||
		size < sizeof *value)
		return -UNW_EBADREG;
	memcpy(value, bytes, sizeof *value);
	return 0;
}

static int access_fpreg(
	unw_addr_space_t space, unw_regnum_t reg, unw_fpreg_t *value, int write, void *arg)
{
	(void)space, (void)reg, (void)value, (void)write, (void)arg;
	return -UNW_EBADREG;
}

static int no_dynamic_code(unw_addr_space_t space, unw_word_t *ret, void *arg)
{
	(void)space, (void)ret, (void)arg;
	return -UNW_ENOINFO;
}

static int no_resume(unw_addr_space_t space, unw_cursor_t *cursor, void *arg)
{
	(void)space, (void)cursor, (void)arg;
	return -UNW_EINVAL;
}

static int no_name(unw_addr_space_t space, unw_word_t addr, char *ret, size_t size,
	unw_word_t *offset, void *arg)
{
	(void)space, (void)addr, (void)ret, (void)size, (void)offset, (void)arg;
	return -UNW_ENOINFO;
}

/* libunwind frees what it allocated itself. */
static void put_unwind_info(unw_addr_space_t space, unw_proc_info_t *info, void *arg)
{
	(void)space, (void)info, (void)arg;
}

/* The search table of the module, by its program header. False if there is none to search. */
static bool find_table(
	struct di_second *second, const struct di_mapping *mapping, unw_dyn_info_t *ret)
{
	size_t count = 0;
	GElf_Phdr segment;
	uint8_t head[12];
	uint32_t entries;
	bool found = false;
	elf_getphdrnum(mapping->module->elf, &count);
	for (size_t i = 0; i < count && !found; i++)
		found = gelf_getphdr(mapping->module->elf, (int)i, &segment) &&
			segment.p_type == PT_GNU_EH_FRAME;
	if (!found)
		return false;
	xs_addr table = segment.p_vaddr + mapping->bias;
	if (!read_memory(second, table, head, sizeof head) || head[0] != 1 ||
		(head[1] & 0x0f) != DW_EH_PE_sdata4 || head[2] != DW_EH_PE_udata4 ||
		head[3] != TABLE_ENCODING)
		return false;
	memcpy(&entries, head + 8, sizeof entries);
	*ret = (unw_dyn_info_t){.start_ip = 0,
		.end_ip = UINT64_MAX,
		.format = UNW_INFO_FORMAT_REMOTE_TABLE,
		.u.rti = {.segbase = table, .table_len = entries, .table_data = table + 12}};
	return entries > 0;
}

static int find_proc_info(unw_addr_space_t space, unw_word_t ip, unw_proc_info_t *ret,
	int need_unwind_info, void *arg)
{
	struct di_second *second = arg;
	const struct di_mapping *mapping = second->target->find(second->target->arg, ip);
	unw_dyn_info_t table;
	int result = -UNW_ENOINFO;
	if (mapping && find_table(second, mapping, &table))
		result = search_unwind_table(space, ip, &table, ret, need_unwind_info, arg);
	else if (mapping)
		second->blind = mapping->module;
	second->missed |= result < 0;
	return result;
}

/* --- interface -------------------------------------------------------------------------------- */

struct xs_error *di_second_create(struct di_second **ret)
{
	static unw_accessors_t accessors = {.find_proc_info = find_proc_info,
		.put_unwind_info = put_unwind_info,
		.get_dyn_info_list_addr = no_dynamic_code,
		.access_mem = access_mem,
		.access_reg = access_reg,
		.access_fpreg = access_fpreg,
		.resume = no_resume,
		.get_proc_name = no_name};
	XS_AUTO(di_second) second = xs_calloc(1, sizeof *second);
	second->space = unw_create_addr_space(&accessors, 0);
	if (!second->space)
		return xs_error_create("libunwind: cannot create an address space");
	/* What it would keep is by process address, and targets come and go. */
	unw_set_caching_policy(second->space, UNW_CACHE_NONE);
	*ret = xs_take(&second);
	return NULL;
}

void di_second_destroy(struct di_second *second)
{
	if (!second)
		return;
	if (second->space)
		unw_destroy_addr_space(second->space);
	free(second);
}

/* The registers that calls preserve; libunwind numbers them as DWARF does. */
static const unsigned kept_regs[DI_SECOND_KEPT] = {DI_REG_RBX, DI_REG_RBP, 12, 13, 14, DI_REG_R15};

static bool add_frame(unw_cursor_t *cursor, struct di_opinion *opinion)
{
	unw_word_t pc, sp, kept = 0;
	if (unw_get_reg(cursor, UNW_REG_IP, &pc) || unw_get_reg(cursor, UNW_REG_SP, &sp) || !pc)
		return false;
	struct di_second_frame frame = {.pc = pc, .sp = sp, .kept_known = true};
	for (size_t i = 0; i < DI_SECOND_KEPT; i++) {
		frame.kept_known &= !unw_get_reg(cursor, (unw_regnum_t)kept_regs[i], &kept);
		frame.kept[i] = kept;
	}
	xs_vec_push(&opinion->frames, frame);
	return true;
}

static void say(struct di_opinion *opinion, const char *why, int status)
{
	snprintf(opinion->reason, sizeof opinion->reason, "libunwind: %s%s%s", why,
		status < 0 ? ": " : "", status < 0 ? unw_strerror(status) : "");
}

void di_second_walk(
	struct di_second *second, const struct di_target *target, struct di_opinion *ret)
{
	unw_cursor_t cursor;
	bool guessed = false;
	ret->frames.len = ret->sure = 0;
	ret->outermost = false;
	ret->reason[0] = '\0';
	second->target = target;
	for (size_t i = 0; i < PAGES; i++)
		second->page[i].addr = XS_ADDR_NONE;
	int status = unw_init_remote(&cursor, second->space, second);
	if (status < 0 || !add_frame(&cursor, ret)) {
		say(ret, "no registers", status);
		return;
	}
	while (ret->frames.len < DI_STACK_MAX) {
		second->missed = false;
		second->blind = NULL;
		status = unw_step(&cursor);
		if (!guessed && second->missed) {
			guessed = true;
			/* The machine's own frame is no opinion. */
			ret->sure = ret->frames.len > 1 ? ret->frames.len : 0;
			say(ret, second->blind ? "no .eh_frame_hdr" : "no call frame information",
				0);
		}
		if (status <= 0 || !add_frame(&cursor, ret))
			break;
	}
	ret->blind = guessed;
	if (guessed)
		return;
	ret->sure = ret->frames.len;
	if (status < 0)
		say(ret, "cannot step", status);
	else if (status > 0 && ret->frames.len == DI_STACK_MAX)
		say(ret, "too deep", 0);
	else
		ret->outermost = true;
}

void di_opinion_deinit(struct di_opinion *opinion)
{
	xs_vec_deinit(&opinion->frames);
}

/* --- comparing -------------------------------------------------------------------------------- */

static bool differ(
	char *buf, size_t size, size_t frame, const char *what, uint64_t ours, uint64_t theirs)
{
	snprintf(buf, size, "frame %zu: %s 0x%" PRIx64 ", libunwind 0x%" PRIx64, frame, what, ours,
		theirs);
	return false;
}

static bool same_frame(const struct di_frame *ours, const struct di_second_frame *theirs,
	size_t frame, char *buf, size_t size)
{
	if (ours->pc != theirs->pc)
		return differ(buf, size, frame, "pc", ours->pc, theirs->pc);
	if (ours->known >> DI_REG_RSP & 1 && ours->value[DI_REG_RSP] != theirs->sp)
		return differ(buf, size, frame, "sp", ours->value[DI_REG_RSP], theirs->sp);
	for (size_t i = 0; theirs->kept_known && i < DI_SECOND_KEPT; i++) {
		unsigned reg = kept_regs[i];
		if (ours->known >> reg & 1 && ours->value[reg] != theirs->kept[i])
			return differ(buf, size, frame, di_register_name(reg), ours->value[reg],
				theirs->kept[i]);
	}
	return true;
}

bool di_opinion_agrees(const struct di_opinion *opinion, const struct di_stack *stack,
	size_t *frame, char *buf, size_t size)
{
	size_t ours = stack->frames.len, theirs = opinion->sure;
	for (*frame = 0; *frame < ours && *frame < theirs; ++*frame)
		if (!same_frame(&stack->frames.data[*frame], &opinion->frames.data[*frame], *frame,
			    buf, size))
			return false;
	bool more = ours > theirs && theirs && !opinion->blind;
	bool less = ours < theirs && stack->end != DI_STACK_ASKED;
	if (!more && !less)
		return true;
	char words[DI_WORDS];
	di_answer_text(&stack->reason, words);
	snprintf(buf, size, "%zu frames%s%s, libunwind %zu%s%s", ours, *words ? ": " : "", words,
		theirs, opinion->reason[0] ? ": " : "", opinion->reason);
	return false;
}
