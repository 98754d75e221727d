/* store_facts.c - what a writer is told of variables and registers, turned into what changed.
 *
 * What each leaf was last said to be is kept, so that only changes are stored. The facts of a stop
 * wait for its end: elements that changed side by side become one entry. */
#include "oracle/store/store_write.h"

#include <errno.h>

/* --- variables and leaves --------------------------------------------------------------------- */

uint32_t ora_writer_variable(
	struct ora_writer *writer, const struct ora_store_variable *variable, uint64_t key)
{
	struct variable_key identity = {.unit = ora_writer_text_id(writer, variable->unit),
		.scope = ora_writer_text_id(writer, variable->scope),
		.name = ora_writer_text_id(writer, variable->name),
		.file = ora_writer_text_id(writer, variable->file),
		.line = variable->line};
	bool fresh;
	uint32_t looks = ora_intern(&writer->variables, &identity, sizeof identity, &fresh);
	uint64_t *number = xs_map_at(&writer->variable_keys, looks, key);
	if (*number)
		return (uint32_t)*number;
	xs_vec_push(&writer->variable_names, ora_writer_text(writer, variable->name));
	*number = writer->variable_names.len;
	uint32_t ret = (uint32_t)*number;
	/* How many there are that look the same. The key 2^64-1 of a second map would do as well;
	 * one map serves both. */
	uint64_t ordinal = ++*xs_map_at(&writer->variable_keys, UINT64_MAX, looks);
	sqlite3_stmt *statement = ora_writer_start(writer, INSERT_VARIABLE);
	if (statement) {
		ora_bind(statement, 2, ret);
		ora_bind_reference(statement, 3, identity.unit);
		ora_bind_reference(statement, 4, identity.scope);
		ora_bind(statement, 5, identity.name);
		ora_bind_reference(statement, 6, identity.file);
		ora_bind(statement, 7, identity.line);
		ora_bind(statement, 8, ordinal);
		ora_writer_done(writer, statement);
	}
	return ret;
}

/* The last index in a path: from '[' to behind ']'. False if there is none in the usual form. */
static bool last_index(const char *path, const char **from, const char **to, uint64_t *index)
{
	bool found = false;
	for (const char *at = strchr(path, '['); at; at = strchr(at + 1, '[')) {
		size_t digits = strspn(at + 1, "0123456789");
		if (!digits || digits > 9 || at[1 + digits] != ']' || (digits > 1 && at[1] == '0'))
			continue;
		*from = at;
		*to = at + digits + 2;
		*index = strtoull(at + 1, NULL, 10);
		found = true;
	}
	return found;
}

/* What schema.sql calls the path of a leaf, to be freed. */
static char *path_pattern(const char *name, const char *path, uint64_t *element)
{
	const char *from, *to;
	size_t length = strlen(name);
	*element = 0;
	if (strncmp(path, name, length) || strstr(path, "[*]"))
		return xs_asprintf("=%s", path);
	path += length;
	if (!last_index(path, &from, &to, element))
		return xs_asprintf("$%s", path);
	return xs_asprintf("$%.*s[*]%s", (int)(from - path), path, to);
}

/* Where what is known of a leaf is. */
static size_t known_at(struct ora_writer *writer, const struct ora_store_fact *fact)
{
	uint64_t element;
	const char *name =
		writer->texts.list.data[writer->variable_names.data[fact->variable - 1] - 1].bytes;
	XS_AUTO_FREE char *pattern = path_pattern(name, fact->path, &element);
	struct leaf_key key = {.variable = fact->variable,
		.depth = fact->depth,
		.path = ora_writer_text_id(writer, pattern),
		.type = ora_writer_text_id(writer, fact->type)};
	bool fresh;
	uint32_t leaf = ora_intern(&writer->leaves, &key, sizeof key, &fresh);
	sqlite3_stmt *statement;
	if (fresh && (statement = ora_writer_start(writer, INSERT_LEAF))) {
		ora_bind(statement, 2, leaf);
		ora_bind(statement, 3, key.variable);
		ora_bind(statement, 4, key.depth);
		ora_bind(statement, 5, key.path);
		ora_bind_reference(statement, 6, key.type);
		ora_writer_done(writer, statement);
	}
	uint64_t *index = xs_map_at(&writer->known_index, leaf, element);
	if (!*index) {
		xs_vec_push(&writer->known, ((struct known){.leaf = leaf, .element = element}));
		*index = writer->known.len;
	}
	return *index - 1;
}

/* --- what is said ----------------------------------------------------------------------------- */

uint32_t ora_writer_saying(struct ora_writer *writer, const struct saying_key *key)
{
	static const char *const forms[] = {
		[FORM_NONE] = "none", [FORM_NUMBER] = "number", [FORM_TEXT] = "text"};
	bool fresh;
	uint32_t saying = ora_intern(&writer->sayings, key, sizeof *key, &fresh);
	sqlite3_stmt *statement;
	if (fresh && (statement = ora_writer_start(writer, INSERT_SAYING))) {
		ora_bind(statement, 2, saying);
		ora_bind_text(statement, 3, ora_state_text((enum ora_state)key->state));
		ora_bind_text(statement, 4, forms[key->form]);
		ora_bind_reference(statement, 5, key->enumerator);
		ora_bind_reference(statement, 6, key->message);
		ora_bind(statement, 7, key->shadowed);
		ora_bind(statement, 8, !key->undeclared);
		if (key->why)
			ora_bind_text(statement, 9, writer->whys.list.data[key->why - 1].bytes);
		ora_writer_done(writer, statement);
	}
	return saying;
}

static const struct saying_key *saying_key(const struct ora_writer *writer, uint32_t saying)
{
	return (const struct saying_key *)(const void *)writer->sayings.list.data[saying - 1].bytes;
}

/* Whether a text is exactly what printing a number gives. */
static bool is_number(const char *text, int64_t *ret)
{
	const char *digits = text + (*text == '-');
	size_t length = strspn(digits, "0123456789");
	if (!length || length > 19 || digits[length] ||
		(*digits == '0' && (length > 1 || digits != text)))
		return false;
	char *end;
	errno = 0;
	long long value = strtoll(text, &end, 10);
	*ret = value;
	return !errno && value != INT64_MIN;
}

static void tell(struct ora_writer *writer, size_t index, uint32_t saying, int64_t value)
{
	struct known *known = &writer->known.data[index];
	struct pending pending = {.known = index, .saying = saying, .value = value};
	if (known->told == writer->serial) { /* twice at one stop: the last one counts */
		writer->pending.data[known->pending] = pending;
		return;
	}
	known->told = writer->serial;
	known->pending = writer->pending.len;
	xs_vec_push(&writer->pending, pending);
}

void ora_writer_fact(struct ora_writer *writer, const struct ora_store_fact *fact)
{
	int64_t value = 0;
	bool fresh;
	if (ora_writer_stuck(writer))
		return;
	struct saying_key key = {.state = fact->state,
		.enumerator = ora_writer_text_id(writer, fact->enumerator),
		.message = ora_writer_text_id(writer, fact->message),
		.shadowed = fact->shadowed,
		.undeclared = fact->undeclared};
	if (fact->why)
		key.why = ora_intern(&writer->whys, fact->why, strlen(fact->why), &fresh);
	if (fact->value && is_number(fact->value, &value)) {
		key.form = FORM_NUMBER;
	} else if (fact->value) {
		key.form = FORM_TEXT;
		ora_writer_limit(writer, fact->value);
		value = ora_intern(&writer->values, fact->value, strlen(fact->value), &fresh);
		sqlite3_stmt *statement;
		if (fresh && (statement = ora_writer_start(writer, INSERT_VALUE))) {
			ora_bind(statement, 2, (uint64_t)value);
			ora_bind_text(statement, 3, fact->value);
			ora_writer_done(writer, statement);
		}
	}
	size_t known = known_at(writer, fact);
	tell(writer, known, ora_writer_saying(writer, &key), value);
}

static bool is_absent(const struct ora_writer *writer, uint32_t saying)
{
	return !saying || saying_key(writer, saying)->state == ORA_STATE_ABSENT;
}

void ora_writer_rest_absent(struct ora_writer *writer)
{
	struct saying_key key = {.state = ORA_STATE_ABSENT};
	for (size_t i = 0; !ora_writer_stuck(writer) && i < writer->known.len; i++)
		if (writer->known.data[i].told != writer->serial &&
			!is_absent(writer, writer->known.data[i].saying))
			tell(writer, i, ora_writer_saying(writer, &key), 0);
}

/* Keeps of what is pending what is new, and takes it as known. */
static void keep_changes(struct ora_writer *writer)
{
	size_t kept = 0;
	for (size_t i = 0; i < writer->pending.len; i++) {
		struct pending *pending = &writer->pending.data[i];
		struct known *known = &writer->known.data[pending->known];
		bool same = known->saying == pending->saying && known->value == pending->value;
		if (same ||
			(is_absent(writer, known->saying) && is_absent(writer, pending->saying)))
			continue;
		known->saying = pending->saying;
		known->value = pending->value;
		writer->pending.data[kept++] = *pending;
	}
	writer->pending.len = kept;
}

static void put_value(struct ora_writer *writer, const struct pending *pending)
{
	if (saying_key(writer, pending->saying)->form == FORM_NONE)
		ora_buffer_put(&writer->facts, "null");
	else
		ora_buffer_number(&writer->facts, pending->value);
}

/* The facts of the stop as JSON, or "" if there are none. */
void ora_writer_make_facts(struct ora_writer *writer)
{
	struct ora_buffer *facts = &writer->facts;
	facts->len = 0;
	keep_changes(writer);
	for (size_t i = 0, end; i < writer->pending.len; i = end) {
		const struct pending *first = &writer->pending.data[i];
		const struct known *known = &writer->known.data[first->known];
		for (end = i + 1; end < writer->pending.len; end++) {
			const struct pending *next = &writer->pending.data[end];
			const struct known *other = &writer->known.data[next->known];
			if (next->saying != first->saying || other->leaf != known->leaf ||
				other->element != known->element + (end - i))
				break;
		}
		ora_buffer_put(facts, i ? ",[" : "[[");
		ora_buffer_number(facts, known->leaf);
		ora_buffer_put(facts, end - i > 1 ? ",[" : ",");
		for (size_t k = i; k < end; k++) {
			if (k > i)
				ora_buffer_put(facts, ",");
			put_value(writer, &writer->pending.data[k]);
		}
		if (end - i > 1)
			ora_buffer_put(facts, "]");
		if (first->saying != 1 || known->element) {
			ora_buffer_put(facts, ",");
			ora_buffer_number(facts, first->saying);
		}
		if (known->element) {
			ora_buffer_put(facts, ",");
			ora_buffer_number(facts, (int64_t)known->element);
		}
		ora_buffer_put(facts, "]");
	}
	if (facts->len)
		ora_buffer_put(facts, "]");
	writer->pending.len = 0;
}

/* --- registers -------------------------------------------------------------------------------- */

static struct reg *reg_named(struct ora_writer *writer, const char *name)
{
	for (size_t i = 0; i < writer->regs.len; i++)
		if (!strcmp(writer->regs.data[i].name, name))
			return &writer->regs.data[i];
	xs_vec_push(&writer->regs, ((struct reg){.name = xs_strdup(name)}));
	return &writer->regs.data[writer->regs.len - 1];
}

static void put_reg_name(struct ora_writer *writer, const char *name)
{
	ora_buffer_put(&writer->reg_text, writer->reg_text.len ? "," : "{");
	ora_buffer_json(&writer->reg_text, name);
	ora_buffer_put(&writer->reg_text, ":");
}

/* Whether rip is what the pc of this stop makes one expect. */
static bool rip_is_known(struct ora_writer *writer, uint64_t value)
{
	uint64_t module = writer->modules.data[writer->place - 1];
	uint64_t bias = value - writer->addresses.data[writer->place - 1];
	uint64_t *known = xs_map_at(&writer->biases, module, 0);
	sqlite3_stmt *statement;
	if (*known)
		return *known - 1 == bias;
	*known = bias + 1;
	if ((statement = ora_writer_start(writer, INSERT_LOADED))) {
		ora_bind_text(
			statement, 2, module ? writer->texts.list.data[module - 1].bytes : "");
		ora_bind(statement, 3, bias);
		ora_writer_done(writer, statement);
	}
	return true;
}

void ora_writer_reg(struct ora_writer *writer, const char *name, uint64_t value)
{
	if (ora_writer_stuck(writer))
		return;
	struct reg *reg = reg_named(writer, name);
	bool same = reg->told && reg->available && !reg->text && reg->value == value;
	bool implied = !strcmp(name, "rip") && rip_is_known(writer, value);
	free(xs_take(&reg->text));
	reg->told = reg->available = true;
	reg->value = value;
	/* One that was implied at the stop before and is not at this one must be said even if it is
	 * the same: whoever reads takes the implied one otherwise. */
	if (implied || (same && strcmp(name, "rip") != 0))
		return;
	put_reg_name(writer, name);
	ora_buffer_number(&writer->reg_text, (int64_t)value);
}

void ora_writer_reg_text(struct ora_writer *writer, const char *name, const char *value)
{
	if (ora_writer_stuck(writer))
		return;
	struct reg *reg = reg_named(writer, name);
	bool same = reg->told && reg->available == (value != NULL) && !reg->text == !value &&
		    (!value || !strcmp(reg->text, value));
	if (same)
		return;
	free(xs_take(&reg->text));
	reg->told = true;
	reg->available = value;
	reg->text = value ? xs_strdup(value) : NULL;
	put_reg_name(writer, name);
	ora_buffer_json(&writer->reg_text, value);
}
