/* cache.h - copies of the program's code that count by themselves and trap only when asked to.
 *
 * The original code is never executed while the cache is up: all of it is traps. A *block* is a
 * copy of straight code from an entry to the first branch; all transitions inside are counted by
 * one counter at its entry. An *edge* is a transition from the last instruction of a block to
 * where that leads, with a counter in a stub of its own. Counters count down to the next arrival
 * that is due, and zero traps. What the program sees is what it would see without: return
 * addresses are those of the original code, flags and red zone are never touched, and registers
 * that the code of the cache needs are saved in memory of its own.
 *
 * Rules:
 * 1. Each transition is counted in one place: by an edge, or inside of one block. An entry in
 *    the midst of a block splits it.
 * 2. A *source* is an instruction that leaves the ranges, or whose target is only known when it
 *    is executed. Each has a key; (key + target) is looked up in a table that leads to the edge.
 *    What is not there traps.
 * 3. Who leaves the ranges notes which source that was; who comes back is looked up by that, so
 *    the transition from before is known, whatever the way back.
 * 4. Wherever a thread is in the cache, a *point* tells what the program's own state is there.
 * 5. Counts of trace->counts are behind what was executed by what the counters have counted
 *    since they were armed: eng_cache_settle() brings one up to date.
 * 6. The cache is bounded. When it is full, it is emptied, and copies are made anew as they are
 *    needed; counts stay.
 *
 * Code and data are one file in memory that tracer and program share, so that counts outlive the
 * program. */
#ifndef ENG_CACHE_H
#define ENG_CACHE_H

#include "engine/emit.h"
#include "engine/trace.h"

enum {
	ENG_CACHE_SLOTS = 65536, /* of the table */
	ENG_CACHE_PROBES = 4,    /* slots where an entry may be */
	ENG_CACHE_SOURCES = 65535,
	ENG_CACHE_RETURNS = 65536,
	ENG_CACHE_EDGES = 262144,
	ENG_CACHE_BLOCKS = 131072,
	ENG_CACHE_SPARE = 16, /* of each, for what is begun when it gets full */
};

#define ENG_CACHE_NEVER (UINT64_C(1) << 62) /* more than can be executed */

/* What code of the cache addresses, at the same place in each process. */
struct eng_cache_data {
	uint64_t rcx, rax, rdx; /* the program's own, while ours are in the registers */
	uint64_t key;           /* that is being looked up */
	uint64_t go;            /* where that leads */
	uint64_t last;          /* key of the source that was last looked up from, or left by */
	uint64_t unused[506];   /* to the end of the page */
	uint64_t negated[ENG_CACHE_SLOTS + ENG_CACHE_PROBES]; /* -(key + target); 0: free */
	uint64_t leads[ENG_CACHE_SLOTS + ENG_CACHE_PROBES];   /* to this code */
	uint64_t returns[ENG_CACHE_RETURNS];                  /* return addresses to push */
	uint64_t edges[ENG_CACHE_EDGES];                      /* counters */
	uint64_t blocks[ENG_CACHE_BLOCKS];
};

struct eng_cache_insn {
	xs_addr pc, copy; /* where it is */
	size_t counter;   /* of the transition from the one before it in the block */
};

struct eng_cache_block {
	xs_addr entry;       /* its first pc */
	uint32_t first;      /* of its instructions */
	uint32_t count;      /* how many */
	xs_addr full, saved; /* its code, for who has not, or has, saved rcx */
	xs_addr body;        /* the same behind the counter */
	uint64_t armed;      /* what its counter counts down from */
	bool special;        /* a trap is all there is: the instruction must be stepped */
};

struct eng_cache_edge {
	xs_addr source, target;
	size_t counter;      /* of the transition */
	xs_addr full, saved; /* as of a block */
	xs_addr jump;        /* the jmp to the block; to the trap behind it if that is not known */
	uint64_t armed;
	bool linked;
};

struct eng_cache_source {
	xs_addr pc;
	uint64_t key;
	int32_t sp; /* what brings rsp back to before it, if its target was looked up */
};

/* What the program's state is, if a thread is at code of the cache. */
enum eng_cache_kind {
	ENG_POINT_BODY,    /* at instruction `index` of block `owner` */
	ENG_POINT_BACK,    /* the same, once registers are back */
	ENG_POINT_ENTER,   /* at the entry of block `owner` */
	ENG_POINT_ENTERED, /* the same, but the block has been counted */
	ENG_POINT_DUE,     /* the same, trapped */
	ENG_POINT_SPECIAL, /* the same of one that is special, trapped */
	ENG_POINT_TO,      /* went from pairs[owner].source to its target, not counted */
	ENG_POINT_COUNTED, /* took edge `owner`; trapped or not */
	ENG_POINT_LOOKUP,  /* went from `last` to key - last, not counted; trapped or not */
	ENG_POINT_ARRIVE,  /* came from `last` to pairs[owner].target, not counted */
	ENG_POINT_NONE,    /* no code */
};

struct eng_cache_point {
	xs_addr at; /* of the first instruction that this is true of */
	uint8_t kind;
	uint8_t saved; /* registers to be taken from memory: bits as enum eng_emit_reg numbers */
	int32_t sp;    /* what is to be added to rsp */
	uint32_t owner, index;
};

struct eng_cache_pair {
	xs_addr source, target;
};

struct eng_cache {
	/* Set by the caller. */
	struct eng_trace *trace;
	struct eng_traps *traps; /* they cover the ranges */

	int file; /* that is shared; -1 if there is none */
	uint8_t *code, *pads;
	struct eng_cache_data *data;
	xs_addr code_at, data_at; /* in the program */
	size_t code_size, used;   /* bytes of code that there can be, and are */
	/* A jmp in the original code, all of whose other bytes are traps too, leads from pc to pc +
	 * pads_by: there is a jmp to code that deals with it. */
	int32_t pads_by; /* 0: there are none */
	size_t pads_size;
	xs_addr pads_at;
	xs_addr slow; /* the code that looks further in the table */
	struct xs_map block_at, insn_at, edge_at, source_at, arrival_at;
	XS_VEC(struct eng_cache_block) blocks;
	XS_VEC(struct eng_cache_insn) insns;
	XS_VEC(struct eng_cache_edge) edges;
	XS_VEC(struct eng_cache_source) sources;
	XS_VEC(struct eng_cache_pair) pairs;
	XS_VEC(struct eng_cache_point) points;
	XS_VEC(uint32_t) owners; /* of a counter: 0 nobody, 2 * edge + 1, 2 * block + 2 */
	size_t returns;          /* used */
	uint64_t settled;        /* sum of trace->counts */
	uint64_t armed; /* sum of all `armed`, that of a block for each of its transitions */
	XS_VEC(uint32_t) weights; /* of blocks: how many transitions they have */
	bool full;                /* it must be emptied before anything is added */
	const char *unfit;        /* why the cache cannot be used any more; NULL: it can */
};

/* Maps it; *ret is false if there is no place for it. `signal` as for eng_inject(). */
XS_MUST_CHECK struct xs_error *eng_cache_map(struct eng_cache *cache, int *signal, bool *ret);
void eng_cache_deinit(struct eng_cache *cache);

/* Forgets all copies, and begins anew. The thread is not in the cache. */
XS_MUST_CHECK struct xs_error *eng_cache_empty(struct eng_cache *cache);

/* The block that begins at pc, made if there is none. May set `unfit` or `full`. */
XS_MUST_CHECK struct xs_error *eng_cache_block(struct eng_cache *cache, xs_addr pc, size_t *ret);
/* The edge from source to target, which is of interest. May set `full`. */
size_t eng_cache_edge(struct eng_cache *cache, xs_addr source, xs_addr target);
/* Lets an edge lead to its block. */
void eng_cache_link(struct eng_cache *cache, size_t index, size_t block);
/* The source at pc, made if there is none. */
size_t eng_cache_source(struct eng_cache *cache, xs_addr pc);
/* From now on what is looked up for source and target is found. */
void eng_cache_enter(struct eng_cache *cache, size_t index, xs_addr target);
/* Lets who comes to pc from elsewhere be looked up, if there is room for that. */
XS_MUST_CHECK struct xs_error *eng_cache_expect(struct eng_cache *cache, xs_addr pc);

/* What is at an address of the cache; kind NONE if that is none. */
struct eng_cache_point eng_cache_point(const struct eng_cache *cache, xs_addr pc);

/* Brings the counts of an edge or block up to date, and arms its counter. */
void eng_cache_settle_edge(struct eng_cache *cache, size_t index);
void eng_cache_settle_block(struct eng_cache *cache, size_t index);
void eng_cache_settle_all(struct eng_cache *cache);
/* The same for whoever counts a transition. */
void eng_cache_settle(struct eng_cache *cache, size_t counter);
/* How many stops there have been. */
uint64_t eng_cache_number(const struct eng_cache *cache);

#endif
