#include "dwarf/name_text.h"

#include <ctype.h>
#include <libiberty/demangle.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

enum {
	HASH_LENGTH = 19, /* of `::h0123456789abcdef`, which rustc puts behind a name */
	LONGEST = 4096,   /* longer spellings are taken as they are: nobody reads them */
};

static const char anonymous[] = "(anonymous namespace)";

static bool is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_' || c == '$' || (unsigned char)c >= 0x80;
}

/* Whether the word `operator` begins at `at`, and not in the middle of another. */
static bool is_operator(const char *text, const char *at)
{
	return !strncmp(at, "operator", 8) && !is_word(at[8]) && (at == text || !is_word(at[-1]));
}

/* How long the name of an operator is, from the word on: `operator<<`, `operator()`. A conversion
 * goes on with a type, which is not counted. */
static size_t operator_length(const char *at)
{
	static const char *const signs[] = {"<=>", "<<=", ">>=", "->*", "<<", ">>",
		"<=", ">=", "->", "==", "!=", "&&", "||", "++", "--",
		"+=", "-=", "*=", "/=", "%=", "^=", "&=", "|=", "()", "[]", "<", ">", "+", "-", "*",
		"/", "%", "^", "&", "|", "~", "!", "=", ","};
	for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
		if (!strncmp(at + 8, signs[i], strlen(signs[i])))
			return 8 + strlen(signs[i]);
	return 8;
}

static bool opens(char c)
{
	return c == '<' || c == '(' || c == '{' || c == '[';
}

/* Where a group of brackets that begins at `at` ends, behind its last one; NULL: nowhere. */
static const char *behind_group(const char *at)
{
	unsigned depth = 0;
	for (const char *from = at; *at; at++) {
		bool arrow = *at == '>' && at > from && at[-1] == '-';
		if (is_operator(from, at))
			at += operator_length(at) - 1;
		else if (opens(*at))
			depth++;
		else if (strchr(">)}]", *at) && !arrow && --depth == 0)
			return at + 1;
	}
	return NULL;
}

/* A text being written over what it is made from, which is never shorter. */
static void put(char **out, const char *from, size_t length)
{
	memmove(*out, from, length);
	*out += length;
}

/* How long what stands behind parameters is: ` const`, ` &&`. */
static size_t qualifiers_length(const char *at)
{
	static const char *const words[] = {" const", " volatile", " noexcept", " &&", " &"};
	size_t length = 0;
	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (!strncmp(at + length, words[i], strlen(words[i])))
			length += strlen(words[i]);
	return length;
}

/* Leaves out parameters, ABI tags and what stands behind the name. What is returned by the function
 * is before a space outside of all brackets. */
static void strip(char *text)
{
	char *out = text, *start = text;
	bool named = false; /* an operator's name has begun: spaces in it are its own */
	for (const char *at = text; *at;) {
		const char *behind = NULL;
		if (is_operator(text, at)) {
			size_t length = operator_length(at);
			named = true;
			put(&out, at, length);
			at += length;
			/* `operator< <int>` */
			at += length > 8 && *at == ' ' && at[1] == '<';
			continue;
		}
		if (!strncmp(at, anonymous, sizeof anonymous - 1)) {
			put(&out, at, sizeof anonymous - 1);
			at += sizeof anonymous - 1;
			continue;
		}
		if (opens(*at))
			behind = behind_group(at);
		if (behind && (*at == '(' || !strncmp(at, "[abi:", 5))) {
			at = behind; /* parameters, or a tag */
			at += qualifiers_length(at);
			named = false;
			continue;
		}
		if (behind) {
			put(&out, at, (size_t)(behind - at));
			at = behind;
			continue;
		}
		if (*at == ' ' && !strncmp(at, " [clone", 7))
			break;
		if ((*at == '.' && out > start && is_word(out[-1]) && !named) || *at == '@')
			break;
		if (*at == ' ' && !named)
			out = start; /* what it returns */
		else
			put(&out, at, 1);
		at++;
	}
	*out = 0;
}

/* Leaves of `int (*f(long)) [10]`, a function that returns a pointer or a reference to an array or
 * a function, what is in the brackets: `f(long)`. */
static void take_declarator(char *text)
{
	for (const char *at = text; *at; at++) {
		if (!strncmp(at, anonymous, sizeof anonymous - 1)) {
			at += sizeof anonymous - 2;
			continue;
		}
		if (is_operator(text, at))
			return;
		const char *behind = opens(*at) ? behind_group(at) : NULL;
		if (*at == '(' && (!behind || (at[1] != '*' && at[1] != '&')))
			return; /* parameters */
		if (*at == '(') {
			const char *inner = at + 1 + strspn(at + 1, "*& ");
			size_t length = inner < behind ? (size_t)(behind - 1 - inner) : 0;
			memmove(text, inner, length);
			text[length] = 0;
			return;
		}
		at = behind ? behind - 1 : at;
	}
}

static bool is_hashed(const char *text, size_t length)
{
	if (length <= HASH_LENGTH || strncmp(text + length - HASH_LENGTH, "::h", 3) != 0)
		return false;
	for (const char *at = text + length - HASH_LENGTH + 3; *at; at++)
		if (!isdigit((unsigned char)*at) && (*at < 'a' || *at > 'f'))
			return false;
	return true;
}

char *di_name_plain(const char *spelling)
{
	char *ret = NULL;
	size_t length = strlen(spelling);
	if (length > LONGEST)
		return xs_strdup(spelling);
	if (!strncmp(spelling, "_Z", 2) || !strncmp(spelling, "_R", 2)) {
		char *demangled = cplus_demangle(spelling, DMGL_ANSI | DMGL_AUTO);
		ret = demangled ? xs_strdup(demangled) : NULL;
		free(demangled);
	}
	ret = ret ? ret : xs_strdup(spelling);
	if (!strpbrk(ret, "<({[ .@:"))
		return ret;
	take_declarator(ret);
	/* Rust's `<T as Trait>::f` begins with a bracket; so do gcc's lambdas. */
	strip(ret);
	length = strlen(ret);
	if (is_hashed(ret, length))
		ret[length - HASH_LENGTH] = 0;
	return ret;
}

char *di_name_key(const char *spelling)
{
	char *ret = di_name_plain(spelling), *out = ret;
	for (const char *at = ret; *at; at++)
		if (*at != ' ' || (out > ret && is_word(out[-1]) && is_word(at[1])))
			*out++ = *at;
	*out = 0;
	return ret;
}

char *di_name_bare(const char *plain)
{
	char *ret = xs_strdup(plain), *out = ret;
	for (const char *at = ret; *at;) {
		if (is_operator(ret, at)) {
			size_t length = operator_length(at);
			put(&out, at, length);
			at += length;
			at += *at == ' ' && at[1] == '<';
			continue;
		}
		/* One that begins a component is no list of arguments: `<lambda(int)>`. */
		bool arguments = *at == '<' && out > ret && out[-1] != ':';
		const char *behind = opens(*at) ? behind_group(at) : NULL;
		size_t length = behind ? (size_t)(behind - at) : 1;
		if (!arguments || !behind)
			put(&out, at, length);
		/* `Vec::<T>` */
		at += length;
	}
	*out = 0;
	return ret;
}

char *di_name_last(const char *plain)
{
	XS_AUTO_FREE char *bare = di_name_bare(plain);
	const char *last = bare;
	for (const char *at = bare; *at;) {
		const char *behind = opens(*at) ? behind_group(at) : NULL;
		if (is_operator(bare, at)) {
			last = at;
			break;
		}
		if (!strncmp(at, "::", 2))
			last = at + 2;
		at = behind ? behind : at + 1;
	}
	return xs_strdup(last);
}

const char *di_name_in_scope(const char *scope)
{
	const char *ret = scope;
	for (const char *at = scope; *at; at++) {
		if (is_operator(scope, at))
			at += operator_length(at) - 1;
		else if (*at == '/')
			ret = at + 1;
	}
	return ret;
}

size_t di_name_length(const char *text)
{
	const char *at = text;
	bool named = false; /* a name may not follow directly */
	for (;;) {
		const char *behind;
		if (!named && !strncmp(at, anonymous, sizeof anonymous - 1)) {
			at += sizeof anonymous - 1;
			named = true;
		} else if (!named && is_word(*at) && !isdigit((unsigned char)*at)) {
			while (is_word(*at))
				at++;
			named = true;
		} else if (named && *at == '<' && (behind = behind_group(at))) {
			at = behind;
		} else if ((named || at == text) && !strncmp(at, "::", 2)) {
			at += 2;
			named = false;
		} else {
			return named ? (size_t)(at - text) : 0;
		}
	}
}

/* Where the last component of the text that ends at `end` begins. */
static const char *component(const char *text, const char *end)
{
	while (end > text && !(end - text >= 2 && end[-1] == ':' && end[-2] == ':'))
		end--;
	return end;
}

bool di_name_fits(const char *name, const char *written)
{
	XS_AUTO_FREE char *whole = di_name_bare(name), *parts = di_name_bare(written);
	const char *wanted = parts + strlen(parts), *at = whole + strlen(whole);
	bool last = true;
	if (strchr(written, '<')) { /* arguments are not to be guessed */
		XS_AUTO_FREE char *its = di_name_key(name), *key = di_name_key(written);
		size_t length = strlen(its), end = strlen(key);
		return length >= end && !strcmp(its + length - end, key) &&
		       (length == end || its[length - end - 1] == ':');
	}
	while (wanted > parts) {
		const char *word = component(parts, wanted), *its;
		size_t length = (size_t)(wanted - word);
		for (;; at = its > whole ? its - 2 : whole) {
			if (at == whole)
				return length == 0; /* `::x` */
			its = component(whole, at);
			bool same = (size_t)(at - its) == length && !strncmp(its, word, length);
			if (!same && last)
				return false;
			if (same)
				break;
		}
		at = its > whole ? its - 2 : whole;
		wanted = word > parts ? word - 2 : parts;
		last = false;
	}
	return !last;
}
