/* name_text.h - spellings of names of functions and variables, as texts.
 *
 * A name of C is what it is. One of C++ or Rust is qualified, may have arguments of templates and
 * parameters, and may be mangled. What is returned is to be freed, but for positions. */
#ifndef DI_NAME_TEXT_H
#define DI_NAME_TEXT_H

/* A spelling, demangled if it is mangled, without parameters, the type returned, ABI tags, what
 * the compiler calls clones, and rustc's hash: `f`, `ns::Box<int>::area`, `T::operator()`. */
char *di_name_plain(const char *spelling);
/* The same without spaces that mean nothing: for comparisons. */
char *di_name_key(const char *spelling);
/* The last component of a plain name, without the arguments of templates: `area`. */
char *di_name_last(const char *plain);
/* A plain name without the arguments of templates: `ns::Box::area`. */
char *di_name_bare(const char *plain);
/* Where the last name of a scope begins, which is a path of inlined calls, `main/f`. `operator/`
 * is a name. */
const char *di_name_in_scope(const char *scope);

#endif
