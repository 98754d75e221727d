/* by_hand_type.c - what the type of a leaf has to do with how it is asked for. */
#include "dwarf/scope.h"
#include "dwarf/type.h"
#include "oracle/session/by_hand.h"

/* The type of the variable that a question is about; NULL if it is not seen there. */
static const struct di_type *type_of(
	const struct ora_by_hand_question *question, struct di_module *module, xs_addr pc)
{
	const struct di_scopes *scopes = di_scopes_at(module, pc);
	for (size_t i = 0; !question->file_scope && i < scopes->locals.len; i++) {
		const struct di_variable *variable = scopes->locals.data[i].variable;
		if (!strcmp(variable->name, question->var) && variable->line == question->line)
			return variable->type;
	}
	const struct di_globals *globals = di_scopes_file(scopes)->globals;
	for (size_t i = 0; question->file_scope && i < globals->list.len; i++) {
		const struct di_variable *variable = globals->list.data[i];
		if (!strcmp(variable->name, question->var) && variable->line == question->line)
			return variable->type;
	}
	return NULL;
}

/* The type of a member, of anonymous structs and unions too; NULL if there is none. */
static const struct di_type *member_of(const struct di_type *type, const char *name, size_t length)
{
	for (size_t i = 0; i < type->members.len; i++) {
		const struct di_member *member = &type->members.data[i];
		const struct di_type *found = NULL;
		if (!member->name)
			found = member_of(member->type, name, length);
		else if (strlen(member->name) == length && !strncmp(member->name, name, length))
			found = member->type;
		if (found)
			return found;
	}
	return NULL;
}

/* A format that goes by the value would make what was said come true: as `u` a debugger shows the
 * bits of -2 as 30. Numbers are shown as they are; letters and names need a format, of their type's
 * sign. */
static void choose_format(struct ora_by_hand_question *question, const struct di_type *type)
{
	bool base = type->kind == DI_TYPE_BASE;
	bool number =
		base && (type->base.kind == DI_BASE_SIGNED || type->base.kind == DI_BASE_UNSIGNED);
	question->short_float = base && type->base.kind == DI_BASE_FLOAT && type->base.bits <= 16;
	if (base && type->base.kind == DI_BASE_FLOAT)
		question->plain = true;
	else if (number && type->base.bits > 8)
		question->plain = true;
	else if (number || type->kind == DI_TYPE_ENUM)
		question->letter = type->base.kind == DI_BASE_SIGNED ? 'd' : 'u';
}

/* Whether the function whose code is at a pc is main. */
static bool is_main(struct di_module *module, xs_addr pc)
{
	const struct di_scopes *scopes = di_scopes_at(module, pc);
	size_t count = scopes->activations.len;
	const struct di_block *function =
		count ? scopes->activations.data[count - 1].function : NULL;
	return function && function->name && !strcmp(function->name, "main");
}

void ora_by_hand_know(struct ora_by_hand_question *question, struct di_module *module, xs_addr pc)
{
	size_t length = question->var ? strlen(question->var) : 0;
	if (!question->var || !question->path || strncmp(question->path, question->var, length))
		return;
	question->in_main = !question->file_scope && is_main(module, pc);
	const struct di_type *type = type_of(question, module, pc);
	for (const char *at = question->path + length; type && *at;) {
		if (type->kind == DI_TYPE_COMPLEX)
			question->complex = true;
		if (*at == '[') {
			type = di_type_target(type);
			at += strcspn(at, "]");
			at += *at == ']';
			continue;
		}
		at += *at == '.';
		size_t name = strcspn(at, ".[");
		type = type->kind == DI_TYPE_COMPLEX ? type->target : member_of(type, at, name);
		at += name;
	}
	if (type)
		choose_format(question, type);
}
