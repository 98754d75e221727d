/* scene.h - one stored trace, stop by stop, with the variables that are visible there.
 *
 * A reader tells what changed; a scene keeps what stands, by frame, so that whoever asks at every
 * stop for the variables of the innermost frame need not look at all that was ever told. */
#ifndef ORA_SCENE_H
#define ORA_SCENE_H

#include "base/map.h"
#include "dwarf/module.h"
#include "oracle/store/store.h"

struct ora_scene_leaf {
	char *path;       /* `s.f[2]` */
	uint64_t hash;    /* ora_leaf_hash() */
	const char *type; /* or NULL */
	enum ora_state state;
	char *value, *message; /* or NULL */
	bool undeclared, unstable;
};

struct ora_scene_variable {
	const struct ora_store_variable *variable;
	uint64_t hash;  /* ora_variable_hash() */
	unsigned depth; /* of its frame, the outermost having 1; 0: file scope */
	size_t live;    /* leaves that are not absent */
	XS_VEC(struct ora_scene_leaf) leaves; /* all that were ever told */
};

struct ora_scene {
	/* Set by the caller. */
	struct ora_store *store;
	uint64_t trace;
	const struct di_module *module; /* of xstep's own steps, for the statement; or NULL */

	/* The stop it is at. */
	const struct ora_told *told; /* NULL: before the first, or behind the last */
	const char *file, *function; /* as the innermost frame shows them; NULL: unknown */
	uint32_t line;               /* likewise; 0: none */
	const char
		*statement_file; /* of the statement that begins there (level.h, rule 2); NULL: */
	uint32_t statement_line; /* none does, or it is not known */

	/* Its own. */
	struct ora_reader *reader;
	struct xs_map leaf_index;     /* (leaf, element) -> variable << 32 | leaf, plus 1 */
	struct xs_map variable_index; /* (variable, depth) -> index, plus 1 */
	XS_VEC(struct ora_scene_variable) variables;
	XS_VEC(struct ora_scene_depth { XS_VEC(size_t) list; }) depths; /* variables by depth */
};

/* Goes to the next stop; told is NULL behind the last. */
XS_MUST_CHECK struct xs_error *ora_scene_next(struct ora_scene *scene);
void ora_scene_deinit(struct ora_scene *scene);

/* Number i of the variables seen from the innermost frame, listed or not any more; NULL behind the
 * last. */
const struct ora_scene_variable *ora_scene_variable(const struct ora_scene *scene, size_t i);
/* Whether the witness lists it at this stop: something is said of it, and it is declared. */
bool ora_scene_is_listed(const struct ora_scene_variable *variable);
/* What is said of it as a whole: a value if any leaf has one, else optimized-out or error, else
 * absent. */
enum ora_state ora_scene_state(const struct ora_scene_variable *variable);

/* A function's name without what compilers and debuggers add (`.constprop.0`, `(int)`) and without
 * the path of inlined calls before it; to be freed. NULL stays NULL. */
char *ora_bare_function(const char *name);

/* A variable, and a leaf of it, as keys that hold in all builds of a source. */
uint64_t ora_variable_hash(const struct ora_store_variable *variable);
uint64_t ora_leaf_hash(const struct ora_store_variable *variable, const char *path);

#endif
