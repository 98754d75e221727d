/* sanitised.h - whether a program was built with a sanitizer that looks for leaks when it ends.
 * LeakSanitizer stops the program by ptrace, which fails where somebody traces it already. */
#ifndef DI_SANITISED_H
#define DI_SANITISED_H

#include "dwarf/module.h"

/* By the functions that such a program calls when it begins, whichever symbol table has them. */
bool di_is_leak_sanitised(const struct di_module *module);

#endif
