/* walk.h - what a comparison keeps while it walks along the traces; for compare*.c and nobody else.
 *
 * compare.c walks. At each stop it hands what the witnesses tell to the slots (compare_slot.c: what
 * each says of a variable, as it stands), registers and levels, and then has them compared:
 * variables (compare_variable.c), registers (compare_register.c), lines and frames
 * (compare_control.c), what symbolisers say (compare_symbols.c). */
#ifndef ORA_WALK_H
#define ORA_WALK_H

#include "base/map.h"
#include "base/path.h"
#include "oracle/judge/compare.h"

/* What one witness says of a leaf, as it stands. */
struct saying {
	bool told;
	bool part; /* not told, but other leaves of the variable are */
	bool undeclared, shadowed, unstable;
	bool unasked; /* by our fault, and so nothing that it says */
	enum ora_state state;
	char *value, *message;
	enum di_why_code why;
};

struct leaf {
	char *path, *type;
	struct saying by[ORA_COMPARE_MAX];
	bool listed[ORA_COMPARE_MAX]; /* in the leaves of the view that told it */
	bool touched;                 /* since it was compared */
	size_t open;                  /* its difference now, plus 1 */
	uint64_t since;               /* the stop it began at, as a count */
	uint64_t print;               /* of what is said in it */
	unsigned aside;               /* enum ora_aside, plus 1: set aside since then */
};

/* A variable of one frame, or at file scope: what the witnesses have in common. */
struct slot {
	char *scope, *name, *file; /* file: of the declaration, without its folder; "" for locals */
	char *decl_file;
	char *unit; /* NULL as long as nobody says it */
	uint32_t line;
	unsigned rank, nth; /* nth: of those that look the same, but for their unit */
	size_t first;       /* number of the first one of its unit */
	bool twins;         /* of that one: the leader has several at once */
	XS_VEC(struct leaf) leaves;
	struct xs_map index;             /* hash of a path -> index, plus 1 */
	struct xs_map wholes;            /* hash of a path that some leaf is part of -> 1 */
	size_t live[ORA_COMPARE_MAX];    /* leaves that it tells */
	size_t odd[ORA_COMPARE_MAX];     /* those of them that are no values: may be of a whole */
	size_t holder[ORA_COMPARE_MAX];  /* the view that tells them, plus 1 */
	unsigned frame[ORA_COMPARE_MAX]; /* its number, when last told */
	bool cut[ORA_COMPARE_MAX];       /* more leaves than are told */
	bool pending, whole;             /* to be compared; with all its leaves */
	XS_VEC(size_t) touched;          /* or these */
	size_t lookup;                   /* open difference of the name, plus 1 */
	uint64_t lookup_since, lookup_print;
};

/* A variable as one trace has it: an entry of its table, at a depth. */
struct view {
	const struct ora_store_variable *variable;
	unsigned depth;
	size_t slot;           /* plus 1; 0: nothing is told */
	XS_VEC(size_t) leaves; /* of the slot, that this one told */
};

struct reg {
	char *name;
	struct ora_told_reg by[ORA_COMPARE_MAX];
	bool told[ORA_COMPARE_MAX];
	size_t open;
	uint64_t since, print;
	bool touched;
};

/* One frame as it is matched. */
struct level {
	char *function; /* bare name; NULL: unknown */
	unsigned rank;
	bool inlined;
	bool tail;    /* made up for a tail call */
	bool own;     /* of the program, not of a library */
	xs_addr pc;   /* link-time; XS_ADDR_NONE: unknown, or of a library */
	size_t match; /* depth of the leader's frame that it is; 0: none */
	size_t back;  /* the same, looked for from the innermost frame outwards */
	bool sure;    /* its variables are that frame's */
};

struct witness {
	struct ora_reader *reader;
	const struct ora_told *told; /* the stop it is at; NULL at the end */
	bool here;                   /* that is the leader's */
	bool symboliser;             /* it knows the file alone */
	bool by_name;                /* it can tell only what a name means */
	struct xs_map index;         /* (variable, depth) -> view, plus 1 */
	XS_VEC(struct view) views;
	XS_VEC(struct level) levels; /* by depth minus 1: as the last stop had them */
	uint64_t frames_print;       /* of the backtrace at this stop: names, and the line shown */
	uint64_t frames_key;         /* the same with all that frames are matched by */
	XS_VEC(size_t) unitless;     /* views in frames that it names no unit of */
	uint64_t units;              /* changes of the leader's units that they are placed by */
};

struct walk {
	struct ora_comparison *out;
	struct witness by[ORA_COMPARE_MAX];
	size_t count;
	struct xs_map order;      /* identity of a leader's stop -> its count */
	struct xs_map slot_index; /* key -> slot, plus 1 */
	XS_VEC(struct slot *) slots;
	XS_VEC(size_t) pending; /* slots to compare */
	XS_VEC(struct reg) regs;
	struct xs_map known;   /* key of a difference -> index, plus 1 */
	struct xs_map lines;   /* pcs whose lines were compared -> difference, plus 1 */
	struct xs_map symbols; /* (pc, aspect) likewise; pcs that symbolisers were compared at */
	struct xs_map own;     /* names of functions that the leader shows in the program itself */
	struct xs_map globals; /* names at file scope -> how many slots have them */
	struct xs_map foreign; /* names of units of languages that are not read in full */
	bool rust;             /* a unit is of Rust */
	struct xs_map stacks;  /* backtraces that were compared -> difference, plus 1 */
	XS_VEC(const char *) units; /* of the leader's frames by depth minus 1; NULL: none told */
	uint64_t unit_changes;      /* how often one of them became another */
	uint64_t now;               /* count of the leader's stop */
	unsigned here;              /* mask of those that are at it */
};

/* --- keys and names ------------------------------------------------------------------------- */

static inline uint64_t ora_walk_hash(uint64_t hash, uint64_t number)
{
	return xs_mix(hash ^ xs_mix(number + 0x9e3779b97f4a7c15));
}

static inline uint64_t ora_walk_hash_place(uint64_t hash, const struct ora_store_place *place)
{
	return place ? ora_walk_hash(xs_hash_text(hash, place->module), place->address)
		     : ora_walk_hash(hash, XS_ADDR_NONE);
}

static inline const char *ora_walk_base_name(const char *path)
{
	return path ? xs_base_name(path) : "";
}

static inline char *ora_walk_copy(const char *text)
{
	return text ? xs_strdup(text) : NULL;
}

static inline uint64_t ora_walk_pc_key(const struct walk *walk)
{
	return ora_walk_hash_place(5, walk->by[0].told->place);
}

/* The function's own name: without parameters, and what the compiler calls its clones. To be freed.
 */
char *ora_walk_bare_name(const char *name);

/* --- differences: compare.c ----------------------------------------------------------------- */

/* The difference with this key, new or not. It began once more. */
size_t ora_walk_differ(struct walk *walk, enum ora_aspect aspect, uint64_t a, uint64_t b);
/* One that is open, plus 1, ends here; it began at `since`. */
void ora_walk_close(struct walk *walk, size_t *open, uint64_t since);
/* A difference lasts from one count of stops to another, which it does not include. */
void ora_walk_last(struct ora_difference *difference, uint64_t from, uint64_t to);

/* --- variables: compare_slot.c, compare_variable.c ------------------------------------------ */

/* Whether one path is a part of what another names. */
bool ora_walk_is_part(const char *path, const char *whole);
/* Cuts a path down to what it is immediately part of; false if it is part of nothing. */
bool ora_walk_to_whole(char *path);
/* The leaf of that path, or NULL; and whether there are, or ever were, leaves that are parts of
 * it: a variable may have thousands, so that nobody looks through them for nothing. */
struct leaf *ora_walk_find_leaf(const struct slot *slot, const char *path);
bool ora_walk_has_parts(const struct slot *slot, const char *path);
void ora_walk_take_fact(struct walk *walk, size_t w, const struct ora_told_fact *fact);
/* Moves a view to where it belongs. */
void ora_walk_attach(struct walk *walk, size_t w, size_t number);
/* Moves the views that a witness names no unit of, if the leader's frames are of other units now.
 */
void ora_walk_place_unitless(struct walk *walk, size_t w);
/* Which of two that look the same a witness tells first is its own choice: the one that says what
 * the leader says of its only one is that one. */
void ora_walk_untwist(struct walk *walk, struct slot *slot);
void ora_walk_slot_destroy(struct slot *slot);
/* Compares what was touched since the last time. */
void ora_walk_compare_variables(struct walk *walk);

/* --- registers: compare_register.c ---------------------------------------------------------- */

void ora_walk_take_register(struct walk *walk, size_t w, const struct ora_told_reg *told);
/* Compares what was told since the last time. */
void ora_walk_compare_registers(struct walk *walk);

/* --- symbolisers: compare_symbols.c --------------------------------------------------------- */

/* Functions, calls and columns of the pc: the same whenever it is come to. */
void ora_walk_compare_symbols(struct walk *walk);

/* --- control facts: compare_control.c ------------------------------------------------------- */

/* The frames of this stop by depth. Views of frames that are others now are moved to their slots.
 */
void ora_walk_take_frames(struct walk *walk, size_t w);
/* The depth of the frame of a function and rank that a witness shows; 0: none. */
unsigned ora_walk_depth_of(const struct witness *witness, const char *function, unsigned rank);
/* What the line table says of the pc: the same whenever it is come to. */
void ora_walk_compare_line(struct walk *walk);
/* Which frames there are, and which line frame 0 shows. */
void ora_walk_compare_frames(struct walk *walk);
/* A witness was elsewhere: it missed the leader's stop, or has one that the leader has not. */
void ora_walk_note_stop(struct walk *walk, size_t w, bool missed);

#endif
