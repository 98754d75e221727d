/* doctor.h - what on this machine will not work, and why. Kernel features are tried
 * (engine/fitness.h), programs are started as they would be when they testify. */
#ifndef ORA_DOCTOR_H
#define ORA_DOCTOR_H

#include <stdbool.h>

#include "base/vec.h"

struct ora_symptom {
	const char *what; /* `ptrace`, `gdb`, `libc` */
	char *words;      /* what is there, or what is wrong and what to do */
	bool problem;     /* something will not work */
	bool optional;    /* only for some commands, which the words name */
};

struct ora_symptoms {
	XS_VEC(struct ora_symptom) vec; /* in the order in which they matter */
};

/* Looks at everything, in a second or two. */
void ora_doctor(struct ora_symptoms *ret);
void ora_symptoms_deinit(struct ora_symptoms *symptoms);

#endif
