/* tailcall.h - by which tail calls a function that was called led to the one that runs.
 *
 * A tail call leaves no frame: the call that a frame returns to is then about another function than
 * the one that runs. What the call sites describe (DWARF 5, 3.4) can still tell how it came there.
 *
 * Rules:
 * 1. A function leads to another by each of its call sites with DW_AT_call_tail_call. The code that
 *    a site means is that of the entry it names; of an abstract instance with several copies, the
 *    one that the branch in front of the site's address goes to.
 * 2. A way is believed if it is the only one: the same functions by two sites are two ways. A tail
 *    call back, or one through a pointer in any function on the way or after it, leaves it open.
 * 3. Each function on the way must say that all its tail calls are described (DW_AT_call_all_calls,
 *    DW_AT_call_all_tail_calls). Of a function that was called itself that is not asked: not every
 *    producer says so, and then nothing speaks of tail calls.
 * 4. Only one module is looked at: a function of another module is taken not to tail-call back into
 *    this one. Who does not take that for granted has no entry values: di_tail_may_leave(). */
#ifndef DI_TAILCALL_H
#define DI_TAILCALL_H

#include "dwarf/module.h"
#include "dwarf/why.h"

struct di_tail_way {
	enum di_why_code problem;                /* why there is not exactly one; NONE: there is */
	XS_VEC(Dwarf_Die) sites;                 /* its tail calls, the first one first */
	XS_VEC(const struct di_function *) from; /* by site: the function that it is in */
};

/* The way from the function that a call site names (`called`; `behind` is the link-time address
 * that it returns to, in `caller`) or, without one, that begins at `entry`, to the one that begins
 * at `running`. Kept by the module. */
const struct di_tail_way *di_tail_way(struct di_module *module, const struct di_module *caller,
	Dwarf_Die *called, xs_addr behind, xs_addr entry, xs_addr running);

/* Whether tail calls led through each of the functions of these names for certain, the first one
 * first, from the call that returns to a link-time address to the function that begins at
 * `running`: the one that was called, and those that no way goes around. Where the call goes
 * through a pointer, the first one is taken to be the one that it called. */
bool di_tail_led_through(struct di_module *module, xs_addr behind, xs_addr running,
	const char *const *names, size_t count);
/* Whether they are the functions of the one way that there is, but some by the names of inlined
 * calls in them that the tail call is in. */
bool di_tail_named_by_inlined(struct di_module *module, xs_addr behind, xs_addr running,
	const char *const *names, size_t count);
/* Whether the call site that returns to `behind`, or that of a tail call which the function that it
 * names, or the one that begins at `running`, can lead to, names an abstract instance, and not its
 * code. */
bool di_tail_names_abstract(struct di_module *module, xs_addr behind, xs_addr running);

/* Whether the call site that returns to `behind` names another function than the one that begins at
 * `running`. */
bool di_tail_is_called(struct di_module *module, xs_addr behind, xs_addr running);

/* Whether the function at a pc, or one that its tail calls lead to, has a tail call to code that is
 * not described here: as far as is known, that may tail-call back. */
bool di_tail_may_leave(struct di_module *module, xs_addr pc);

/* Whether that call site calls through a pointer, and some tail call leads to the function. */
bool di_tail_behind_pointer(struct di_module *module, xs_addr behind, xs_addr running);

/* Calls `found` for each call site of a function, those of inlined calls and blocks included. */
void di_call_sites(Dwarf_Die *function, void (*found)(void *arg, Dwarf_Die *site), void *arg);
/* The link-time address behind the call; false: it is not said. If only the call's own address is
 * (DW_AT_call_pc), the code tells how long the call is. */
bool di_call_site_return(struct di_module *module, Dwarf_Die *site, xs_addr *ret);
/* The entry that DW_AT_call_origin, or GNU's attribute, refers to. */
bool di_call_site_origin(Dwarf_Die *site, Dwarf_Die *ret);
bool di_call_site_is_tail(Dwarf_Die *site);
/* The name that a function is linked by. */
const char *di_linkage_name(Dwarf_Die *die);

/* For di_module_destroy(). */
struct di_tails;
void di_tails_destroy(struct di_tails *tails);

#endif
