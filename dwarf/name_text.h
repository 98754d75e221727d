/* name_text.h - spellings of names of functions and variables, as texts.
 *
 * A name of C is what it is. One of C++ or Rust is qualified, may have arguments of templates and
 * parameters, and may be mangled. What is returned is to be freed, but for positions. */
#ifndef DI_NAME_TEXT_H
#define DI_NAME_TEXT_H

#include <stdbool.h>
#include <stddef.h>

/* A spelling, demangled if it is mangled, without parameters, the type returned, ABI tags, what
 * the compiler calls clones, and rustc's hash: `f`, `ns::Box<int>::area`, `T::operator()`. */
char *di_name_plain(const char *spelling);
/* The same without spaces that mean nothing: for comparisons. */
char *di_name_key(const char *spelling);
/* The last component of a plain name, without the arguments of templates: `area`. */
char *di_name_last(const char *plain);
/* A plain name without the arguments of templates: `ns::Box::area`. */
char *di_name_bare(const char *plain);
/* How long the qualified name is that a text begins with, `ns::Box<int>::x`; 0: there is none. */
size_t di_name_length(const char *text);
/* Whether one plain name may be written for another: `ns::v2::Box<int>::x` is
 * `v2::Box::x`, `Box<int>::x`, `x`, and `ns::x`: v2 may be an inline namespace. */
bool di_name_fits(const char *name, const char *written);
/* Where the last name of a scope begins, which is a path of inlined calls, `main/f`. `operator/`
 * is a name. */
const char *di_name_in_scope(const char *scope);

#endif
