#include "dwarf/tailcall.h"

#include <dwarf.h>

#include "dwarf/attribute.h"
#include "dwarf/scope.h"
#include "dwarf/type_name.h"

enum {
	DEPTH_MAX = 200,  /* of nested DIEs */
	NODES_MAX = 1000, /* functions looked at for one way */
	NOWHERE = -1,     /* a function without code here */
};

/* A tail call: from one function to another, by index into di_functions. */
struct edge {
	Dwarf_Die site;
	ptrdiff_t to; /* or NOWHERE */
};

struct node {
	bool known;        /* the others are filled in */
	bool open;         /* a tail call of it goes through a pointer */
	bool leaves;       /* a tail call of it goes to a function that is not described here */
	bool complete;     /* it says that all are described */
	ptrdiff_t sibling; /* another function with the same origin, or NOWHERE */
	XS_VEC(struct edge) edges;
};

struct di_tails {
	XS_VEC(struct node) nodes; /* by di_function.index */
	struct xs_map by_die;      /* its DIE -> index, plus 1 */
	struct xs_map by_origin;   /* the DIE that all its copies come from -> index, plus 1 */
	struct xs_map by_name;     /* hash of what it is linked by, if external -> index, plus 1 */
	struct xs_map ways;        /* (hash of where from, where to) -> index, plus 1 */
	XS_VEC(struct di_tail_way *) list;
};

void di_tails_destroy(struct di_tails *tails)
{
	if (!tails)
		return;
	for (size_t i = 0; i < tails->nodes.len; i++)
		xs_vec_deinit(&tails->nodes.data[i].edges);
	for (size_t i = 0; i < tails->list.len; i++) {
		xs_vec_deinit(&tails->list.data[i]->sites);
		xs_vec_deinit(&tails->list.data[i]->from);
		free(tails->list.data[i]);
	}
	xs_vec_deinit(&tails->nodes);
	xs_vec_deinit(&tails->list);
	xs_map_deinit(&tails->by_die);
	xs_map_deinit(&tails->by_origin);
	xs_map_deinit(&tails->by_name);
	xs_map_deinit(&tails->ways);
	free(tails);
}

/* --- call sites ------------------------------------------------------------------------------- */

static void for_each_site(
	Dwarf_Die *die, unsigned depth, void (*found)(void *arg, Dwarf_Die *site), void *arg)
{
	Dwarf_Die child;
	if (depth > DEPTH_MAX || dwarf_child(die, &child))
		return;
	do {
		int tag = dwarf_tag(&child);
		if (tag == DW_TAG_call_site || tag == DW_TAG_GNU_call_site)
			found(arg, &child);
		else if (tag == DW_TAG_lexical_block || tag == DW_TAG_inlined_subroutine)
			for_each_site(&child, depth + 1, found, arg);
	} while (!dwarf_siblingof(&child, &child));
}

void di_call_sites(Dwarf_Die *function, void (*found)(void *arg, Dwarf_Die *site), void *arg)
{
	for_each_site(function, 0, found, arg);
}

static bool address_of(struct di_module *module, Dwarf_Die *site, unsigned at, xs_addr *ret)
{
	Dwarf_Attribute attr;
	return dwarf_attr(site, at, &attr) &&
	       di_unit_form_address(di_unit_of(module, site), &attr, ret);
}

/* How long the call or jump at a link-time address is; 0 if it is none. */
static size_t length_of_call(const struct di_module *module, xs_addr address)
{
	size_t size, at = 0;
	const uint8_t *bytes = di_module_bytes(module, address, &size);
	if (!bytes || size < 10)
		return 0;
	/* bnd, notrack; then REX. */
	while (at < 2 && (bytes[at] == 0xf2 || bytes[at] == 0x3e || bytes[at] == 0x2e))
		at++;
	at += (bytes[at] & 0xf0) == 0x40;
	if (bytes[at] == 0xe8 || bytes[at] == 0xe9)
		return at + 5;
	if (bytes[at] == 0xeb)
		return at + 2;
	if (bytes[at] == 0x0f && (bytes[at + 1] & 0xf0) == 0x80)
		return at + 6;
	if ((bytes[at] & 0xf0) == 0x70)
		return at + 2;
	unsigned mode = bytes[at + 1] >> 6, operation = bytes[at + 1] >> 3 & 7;
	unsigned base = bytes[at + 1] & 7;
	if (bytes[at] != 0xff || (operation != 2 && operation != 4))
		return 0;
	bool indexed = mode != 3 && base == 4;
	if (indexed)
		base = bytes[at + 2] & 7;
	bool far = mode == 2 || (mode == 0 && base == 5);
	return at + 2 + indexed + (far ? 4 : mode == 1);
}

bool di_call_site_return(struct di_module *module, Dwarf_Die *site, xs_addr *ret)
{
	/* The GNU form has the return address as DW_AT_low_pc. */
	if (address_of(module, site, DW_AT_call_return_pc, ret) ||
		(dwarf_tag(site) == DW_TAG_GNU_call_site &&
			address_of(module, site, DW_AT_low_pc, ret)))
		return true;
	size_t length =
		address_of(module, site, DW_AT_call_pc, ret) ? length_of_call(module, *ret) : 0;
	*ret += length;
	return length;
}

bool di_call_site_origin(Dwarf_Die *site, Dwarf_Die *ret)
{
	Dwarf_Attribute attr;
	return (dwarf_attr(site, DW_AT_call_origin, &attr) ||
		       dwarf_attr(site, DW_AT_abstract_origin, &attr)) &&
	       di_formref_die(&attr, ret);
}

static bool has_flag(Dwarf_Die *die, unsigned at)
{
	Dwarf_Attribute attr;
	bool set = false;
	return dwarf_attr(die, at, &attr) && !dwarf_formflag(&attr, &set) && set;
}

bool di_call_site_is_tail(Dwarf_Die *site)
{
	return has_flag(site, DW_AT_call_tail_call) || has_flag(site, DW_AT_GNU_tail_call);
}

const char *di_linkage_name(Dwarf_Die *die)
{
	Dwarf_Attribute attr;
	const char *name = dwarf_formstring(di_attr_integrate(die, DW_AT_linkage_name, &attr));
	return name ? name : dwarf_formstring(di_attr_integrate(die, DW_AT_name, &attr));
}

/* --- functions -------------------------------------------------------------------------------- */

static uintptr_t origin_of(const Dwarf_Die *die)
{
	Dwarf_Die at = *die;
	unsigned far = 0;
	while (di_die_origin(&at, &far))
		;
	return (uintptr_t)at.addr;
}

static bool is_external(Dwarf_Die *die)
{
	Dwarf_Attribute attr;
	bool set = false;
	return di_attr_integrate(die, DW_AT_external, &attr) && !dwarf_formflag(&attr, &set) && set;
}

static struct di_tails *tails_of(struct di_module *module)
{
	if (module->tails)
		return module->tails;
	struct di_tails *tails = module->tails = xs_calloc(1, sizeof *tails);
	const struct di_function_list *all = di_functions_all(module->functions);
	for (size_t i = 0; i < all->vec.len; i++)
		xs_vec_push(&tails->nodes, ((struct node){.sibling = NOWHERE}));
	for (size_t i = 0; i < all->vec.len; i++) {
		size_t index = all->vec.data[i]->index;
		Dwarf_Die die = all->vec.data[i]->die;
		if (all->vec.data[i]->symbol)
			continue;
		uint64_t *first = xs_map_at(&tails->by_origin, origin_of(&die), 0);
		const char *name = di_linkage_name(&die);
		tails->nodes.data[index].sibling = (ptrdiff_t)*first - 1;
		*first = index + 1;
		*xs_map_at(&tails->by_die, (uintptr_t)die.addr, 0) = index + 1;
		if (name && is_external(&die))
			*xs_map_at(&tails->by_name, xs_hash_text(0, name), 0) = index + 1;
	}
	return tails;
}

/* Whether the branch or call in front of `behind` goes to an address: its last bytes are how far.
 */
static bool goes_to(const struct di_module *module, xs_addr behind, xs_addr to)
{
	size_t size;
	int32_t far;
	const uint8_t *bytes = di_module_bytes(module, behind - 5, &size);
	if (!bytes || size < 5)
		return false;
	memcpy(&far, bytes + 1, sizeof far);
	if (behind + (xs_addr)(int64_t)far == to)
		return true;
	bool is_short = bytes[3] == 0xeb || (bytes[3] & 0xf0) == 0x70;
	return is_short && behind + (xs_addr)(int64_t)(int8_t)bytes[4] == to;
}

/* The function with debug information that the direct branch or call in front of `behind` goes to,
 * or NOWHERE. */
static ptrdiff_t target_of(const struct di_module *module, xs_addr behind)
{
	enum { CALL = 0xe8, JUMP = 0xe9 };
	size_t size;
	int32_t far;
	const uint8_t *bytes = di_module_bytes(module, behind - 5, &size);
	if (!bytes || size < 5 || (bytes[0] != CALL && bytes[0] != JUMP))
		return NOWHERE;
	memcpy(&far, bytes + 1, sizeof far);
	xs_addr to = behind + (xs_addr)(int64_t)far;
	const struct di_function *found = di_functions_find_debug(module->functions, to);
	return found && found->entry == to && !found->symbol ? (ptrdiff_t)found->index : NOWHERE;
}

/* The functions that a DIE may mean, by their index, to `ret`: none if its code is elsewhere. */
struct indexes {
	XS_VEC(ptrdiff_t) vec;
};

static void find_code(struct di_module *module, const struct di_module *caller, Dwarf_Die *die,
	xs_addr behind, struct indexes *ret)
{
	struct di_tails *tails = tails_of(module);
	const uint64_t *at = xs_map_find(&tails->by_die, (uintptr_t)die->addr, 0);
	ptrdiff_t index;
	if (at) {
		index = (ptrdiff_t)*at - 1;
		xs_vec_push(&ret->vec, index);
		return;
	}
	at = xs_map_find(&tails->by_origin, origin_of(die), 0);
	for (index = at ? (ptrdiff_t)*at - 1 : NOWHERE; index != NOWHERE;
		index = tails->nodes.data[index].sibling)
		xs_vec_push(&ret->vec, index);
	for (size_t i = 0; ret->vec.len > 1 && i < ret->vec.len; i++) {
		index = ret->vec.data[i];
		if (caller == module && behind != XS_ADDR_NONE &&
			goes_to(module, behind, module->functions->list.data[index]->entry)) {
			ret->vec.data[0] = index;
			ret->vec.len = 1;
		}
	}
	bool named = is_external(die) || dwarf_hasattr(die, DW_AT_declaration);
	const char *name = ret->vec.len || !named ? NULL : di_linkage_name(die);
	at = name ? xs_map_find(&tails->by_name, xs_hash_text(0, name), 0) : NULL;
	index = at ? (ptrdiff_t)*at - 1 : NOWHERE;
	/* A function may have another name to be linked by, which the DWARF of its own unit does
	 * not know: an alias. The code says where the call goes. */
	if (name && !at && caller == module && behind != XS_ADDR_NONE)
		index = target_of(module, behind);
	if (index != NOWHERE)
		xs_vec_push(&ret->vec, index);
}

/* --- tail calls ------------------------------------------------------------------------------- */

struct gather {
	struct di_module *module;
	struct node *node;
};

static void take_site(void *arg, Dwarf_Die *site)
{
	struct gather *gather = arg;
	struct indexes callees = {0};
	xs_addr behind = XS_ADDR_NONE;
	Dwarf_Die callee;
	if (!di_call_site_is_tail(site))
		return;
	if (!di_call_site_origin(site, &callee)) {
		gather->node->open = true;
		return;
	}
	if (!di_call_site_return(gather->module, site, &behind))
		behind = XS_ADDR_NONE;
	find_code(gather->module, gather->module, &callee, behind, &callees);
	gather->node->leaves |= !callees.vec.len;
	for (size_t i = 0; i < callees.vec.len; i++) {
		struct edge edge = {.site = *site, .to = callees.vec.data[i]};
		xs_vec_push(&gather->node->edges, edge);
	}
	xs_vec_deinit(&callees.vec);
}

static const struct node *node_at(struct di_module *module, ptrdiff_t index)
{
	struct node *node = &tails_of(module)->nodes.data[index];
	if (node->known)
		return node;
	Dwarf_Die die = module->functions->list.data[index]->die;
	struct gather gather = {.module = module, .node = node};
	node->known = true;
	node->complete = has_flag(&die, DW_AT_call_all_calls) ||
			 has_flag(&die, DW_AT_call_all_tail_calls) ||
			 has_flag(&die, DW_AT_GNU_all_call_sites) ||
			 has_flag(&die, DW_AT_GNU_all_tail_call_sites);
	di_call_sites(&die, take_site, &gather);
	return node;
}

/* --- ways ------------------------------------------------------------------------------------- */

/* A function that may have been come to: whether the wanted one can be come to from it, too. */
struct reached {
	ptrdiff_t index;
	bool leads;
};

struct search {
	struct di_module *module;
	XS_VEC(struct reached) reached;
	struct xs_map at; /* index of a function -> index into reached, plus 1 */
};

static void reach(struct search *search, ptrdiff_t index)
{
	uint64_t *at = xs_map_at(&search->at, (uint64_t)index, 0);
	struct reached one = {.index = index};
	if (*at)
		return;
	xs_vec_push(&search->reached, one);
	*at = search->reached.len;
}

static bool leads(const struct search *search, ptrdiff_t index)
{
	const uint64_t *at = xs_map_find(&search->at, (uint64_t)index, 0);
	return at && search->reached.data[*at - 1].leads;
}

/* All that may have been come to from there, and what of it leads to the wanted function; what
 * speaks against any way. */
static enum di_why_code explore(struct search *search, const struct indexes *from, ptrdiff_t to)
{
	for (size_t i = 0; i < from->vec.len; i++)
		reach(search, from->vec.data[i]);
	for (size_t i = 0; i < search->reached.len; i++) {
		const struct node *node = node_at(search->module, search->reached.data[i].index);
		if (node->open)
			return DI_WHY_TAIL_BY_POINTER;
		if (search->reached.len > NODES_MAX)
			return DI_WHY_TAIL_TOO_MANY;
		for (size_t k = 0; k < node->edges.len; k++)
			reach(search, node->edges.data[k].to);
	}
	for (bool more = true; more;) {
		more = false;
		for (size_t i = 0; i < search->reached.len; i++) {
			struct reached *one = &search->reached.data[i];
			const struct node *node = node_at(search->module, one->index);
			bool now = one->index == to;
			for (size_t k = 0; k < node->edges.len; k++)
				now |= leads(search, node->edges.data[k].to);
			more |= now != one->leads;
			one->leads = now;
		}
	}
	return DI_WHY_NONE;
}

/* The one tail call of a function that leads on; NULL: there are none or several. */
static const struct edge *way_on(const struct search *search, ptrdiff_t index, size_t *count)
{
	const struct node *node = node_at(search->module, index);
	const struct edge *ret = NULL;
	*count = 0;
	for (size_t k = 0; k < node->edges.len; k++)
		if (leads(search, node->edges.data[k].to)) {
			ret = &node->edges.data[k];
			(*count)++;
		}
	return *count == 1 ? ret : NULL;
}

static enum di_why_code follow(
	struct search *search, const struct indexes *from, ptrdiff_t to, struct di_tail_way *way)
{
	enum di_why_code problem = explore(search, from, to);
	ptrdiff_t at = NOWHERE;
	size_t count;
	if (problem)
		return problem;
	for (size_t i = 0; i < from->vec.len; i++) {
		if (leads(search, from->vec.data[i]) && at != NOWHERE)
			return DI_WHY_TAIL_OF_COPIES;
		if (leads(search, from->vec.data[i]))
			at = from->vec.data[i];
	}
	if (at == NOWHERE)
		return DI_WHY_TAIL_NONE;
	way_on(search, to, &count);
	if (count)
		return DI_WHY_TAIL_BACK;
	/* Where each has one way on, and leads there, there is no circle. */
	while (at != to) {
		const struct edge *edge = way_on(search, at, &count);
		const struct di_function *function = search->module->functions->list.data[at];
		if (!edge)
			return DI_WHY_TAIL_SEVERAL;
		if (!node_at(search->module, at)->complete)
			return DI_WHY_TAIL_UNDESCRIBED;
		xs_vec_push(&way->sites, edge->site);
		xs_vec_push(&way->from, function);
		at = edge->to;
	}
	return DI_WHY_NONE;
}

/* Where code is in several stretches, its first instruction need not be where di_function has it.
 */
static ptrdiff_t function_at(const struct di_module *module, xs_addr entry)
{
	const struct di_function *function = di_functions_find_debug(module->functions, entry);
	return function ? (ptrdiff_t)function->index : NOWHERE;
}

const struct di_tail_way *di_tail_way(struct di_module *module, const struct di_module *caller,
	Dwarf_Die *called, xs_addr behind, xs_addr entry, xs_addr running)
{
	struct di_tails *tails = tails_of(module);
	uint64_t key = xs_mix(called ? (uintptr_t)called->addr ^ xs_mix(behind) : entry);
	uint64_t *known = xs_map_at(&tails->ways, key, running);
	if (*known)
		return tails->list.data[*known - 1];
	struct di_tail_way *way = xs_calloc(1, sizeof *way);
	struct search search = {.module = module};
	struct indexes from = {0};
	ptrdiff_t to = function_at(module, running), first = NOWHERE;
	xs_vec_push(&tails->list, way);
	*known = tails->list.len;
	if (called)
		find_code(module, caller, called, behind, &from);
	else if ((first = function_at(module, entry)) != NOWHERE)
		xs_vec_push(&from.vec, first);
	way->problem = to == NOWHERE ? DI_WHY_ENTRY_UNKNOWN : follow(&search, &from, to, way);
	if (way->problem)
		way->sites.len = way->from.len = 0;
	xs_vec_deinit(&from.vec);
	xs_vec_deinit(&search.reached);
	xs_map_deinit(&search.at);
	return way;
}

bool di_tail_may_leave(struct di_module *module, xs_addr pc)
{
	tails_of(module);
	struct search search = {.module = module};
	ptrdiff_t first = function_at(module, pc);
	bool leaves = false;
	if (first != NOWHERE)
		reach(&search, first);
	for (size_t i = 0; !leaves && i < search.reached.len && i < NODES_MAX; i++) {
		const struct node *node = node_at(module, search.reached.data[i].index);
		leaves = node->leaves;
		for (size_t k = 0; k < node->edges.len; k++)
			reach(&search, node->edges.data[k].to);
	}
	xs_vec_deinit(&search.reached);
	xs_map_deinit(&search.at);
	return leaves;
}

struct wanted_site {
	struct di_module *module;
	xs_addr behind;
	bool found;
	Dwarf_Die site;
};

static void compare_site(void *arg, Dwarf_Die *site)
{
	struct wanted_site *wanted = arg;
	xs_addr behind;
	if (wanted->found || !di_call_site_return(wanted->module, site, &behind) ||
		behind != wanted->behind)
		return;
	wanted->found = true;
	wanted->site = *site;
}

/* The call site that returns to an address. */
static bool find_site(struct di_module *module, xs_addr behind, Dwarf_Die *ret)
{
	const struct di_function *caller = di_functions_find_debug(module->functions, behind - 1);
	struct wanted_site wanted = {.module = module, .behind = behind};
	if (!caller)
		return false;
	Dwarf_Die die = caller->die;
	di_call_sites(&die, compare_site, &wanted);
	*ret = wanted.site;
	return wanted.found;
}

/* Whether a site names a function, but an entry that has no code. */
static bool is_abstract(struct di_module *module, Dwarf_Die *site)
{
	Dwarf_Die callee;
	return di_call_site_origin(site, &callee) && !dwarf_hasattr(&callee, DW_AT_declaration) &&
	       !xs_map_find(&tails_of(module)->by_die, (uintptr_t)callee.addr, 0);
}

bool di_tail_names_abstract(struct di_module *module, xs_addr behind, xs_addr running)
{
	struct search search = {.module = module};
	struct indexes from = {0};
	ptrdiff_t first = function_at(module, running);
	Dwarf_Die site, called;
	bool known = behind != XS_ADDR_NONE && find_site(module, behind, &site);
	bool ret = known && is_abstract(module, &site);
	if (!ret && first != NOWHERE) {
		if (known && di_call_site_origin(&site, &called))
			find_code(module, module, &called, behind, &from);
		xs_vec_push(&from.vec, first);
		(void)explore(&search, &from, first);
	}
	for (size_t i = 0; !ret && i < search.reached.len; i++) {
		const struct node *node = node_at(module, search.reached.data[i].index);
		for (size_t k = 0; k < node->edges.len; k++) {
			site = node->edges.data[k].site;
			ret |= is_abstract(module, &site);
		}
	}
	xs_vec_deinit(&from.vec);
	xs_vec_deinit(&search.reached);
	xs_map_deinit(&search.at);
	return ret;
}

bool di_tail_behind_pointer(struct di_module *module, xs_addr behind, xs_addr running)
{
	ptrdiff_t to = function_at(module, running);
	bool ret = false;
	Dwarf_Die site, callee;
	if (!find_site(module, behind, &site) || di_call_site_origin(&site, &callee))
		return false;
	const struct di_function_list *all = di_functions_all(module->functions);
	for (size_t i = 0; i < all->vec.len && !ret; i++) {
		if (all->vec.data[i]->symbol)
			continue;
		const struct node *node = node_at(module, (ptrdiff_t)all->vec.data[i]->index);
		for (size_t k = 0; k < node->edges.len; k++)
			ret |= node->edges.data[k].to == to;
	}
	return ret;
}

bool di_tail_is_called(struct di_module *module, xs_addr behind, xs_addr running)
{
	struct indexes from = {0};
	ptrdiff_t to = function_at(module, running);
	Dwarf_Die site, callee;
	bool direct = false;
	if (!find_site(module, behind, &site) || !di_call_site_origin(&site, &callee))
		return false;
	find_code(module, module, &callee, behind, &from);
	for (size_t i = 0; i < from.vec.len; i++)
		direct |= from.vec.data[i] == to;
	xs_vec_deinit(&from.vec);
	return !direct;
}

/* Whether there may be a way that does not go through one of the functions. */
static bool goes_around(struct di_module *module, ptrdiff_t from, ptrdiff_t to, ptrdiff_t without)
{
	struct search search = {.module = module};
	bool ret = false;
	reach(&search, from);
	for (size_t i = 0; i < search.reached.len && !ret; i++) {
		const struct node *node = node_at(module, search.reached.data[i].index);
		ret = node->open || search.reached.data[i].index == to ||
		      search.reached.len > NODES_MAX;
		for (size_t k = 0; k < node->edges.len; k++)
			if (node->edges.data[k].to != without)
				reach(&search, node->edges.data[k].to);
	}
	xs_vec_deinit(&search.reached);
	xs_map_deinit(&search.at);
	return ret;
}

bool di_tail_led_through(struct di_module *module, xs_addr behind, xs_addr running,
	const char *const *names, size_t count)
{
	struct indexes from = {0};
	ptrdiff_t to = function_at(module, running), first = NOWHERE;
	Dwarf_Die called, site;
	if (to == NOWHERE || !find_site(module, behind, &site))
		return false;
	if (di_call_site_origin(&site, &called))
		find_code(module, module, &called, behind, &from);
	if (from.vec.len == 1)
		first = from.vec.data[0];
	xs_vec_deinit(&from.vec);
	for (size_t i = 0; i < count; i++) {
		const struct di_function *function =
			di_functions_named(module->functions, names[i]);
		if (!function || function->symbol)
			return false;
		ptrdiff_t index = (ptrdiff_t)function->index;
		if (first == NOWHERE && !i)
			first = index;
		/* The one that was called goes by its name: there may be others of that. */
		if (!i && first != to &&
			!strcmp(module->functions->list.data[first]->name, names[0]))
			continue;
		if (index == to || goes_around(module, first, to, index))
			return false;
	}
	return true;
}

bool di_tail_named_by_inlined(struct di_module *module, xs_addr behind, xs_addr running,
	const char *const *names, size_t count)
{
	Dwarf_Die called, site;
	xs_addr at;
	if (!find_site(module, behind, &site) || !di_call_site_origin(&site, &called))
		return false;
	const struct di_tail_way *way =
		di_tail_way(module, module, &called, behind, XS_ADDR_NONE, running);
	if (way->problem || way->sites.len != count)
		return false;
	for (size_t i = 0; i < count; i++) {
		site = way->sites.data[i];
		if (!di_call_site_return(module, &site, &at))
			return false;
		const struct di_scopes *scopes = di_scopes_at(module, at - 1);
		const char *inlined = scopes->activations.len > 1
					      ? scopes->activations.data[0].function->name
					      : NULL;
		if (strcmp(way->from.data[i]->name, names[i]) != 0 &&
			(!inlined || strcmp(inlined, names[i]) != 0))
			return false;
	}
	return true;
}
