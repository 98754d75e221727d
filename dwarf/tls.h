/* tls.h - where a module's thread-local storage is in the thread that is looked at.
 *
 * Rules:
 * 1. That of the program lies below the thread pointer, where the layout of x86-64 puts it.
 * 2. That of a shared object is where the thread's vector says (dtv, the C library's): by the
 *    number that the loader has given the object. The loader has written that number where the
 *    object asked for it, with a relocation R_X86_64_DTPMOD64. An object that asks for the distance
 *    from the thread pointer instead (R_X86_64_TPOFF64) is told that.
 * 3. The vector is glibc's: an object that does not need glibc gets an error. */
#ifndef DI_TLS_H
#define DI_TLS_H

#include "dwarf/answer.h"
#include "dwarf/target.h"

/* The process address of the byte at an offset of the module's storage. */
void di_tls_address(const struct di_target *target, const struct di_mapping *mapping,
	uint64_t offset, xs_addr *ret, struct di_answer *answer);

#endif
