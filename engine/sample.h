/* sample.h - which stops are kept.
 *
 * The sampling of the DTD paper, made deterministic: a hash stands in for the random number, so
 * that every witness and every run picks the same stops. From one that is kept the next is worked
 * out at once, however far it is: nobody has to look at those in between. See docs/sampling.md for
 * test vectors. */
#ifndef ENG_SAMPLE_H
#define ENG_SAMPLE_H

#include "base/addr.h"

enum eng_sample {
	ENG_SAMPLE_DTD,    /* a transition seen C times before: if C = 0, else one in C */
	ENG_SAMPLE_NONE,   /* every stop, without a state */
	ENG_SAMPLE_ALL,    /* every stop */
	ENG_SAMPLE_UNIQUE, /* the first arrival of each transition */
};

/* h = mix(seed ^ mix(prev ^ mix(pc ^ mix(C)))), mix being xs_mix(). */
uint64_t eng_sample_hash(uint64_t seed, xs_addr prev, xs_addr pc, uint64_t count);
/* The n-th prev -> pc is kept, or n is 0: which one is kept next; UINT64_MAX if none is. n counts
 * from 1. Addresses are link-time addresses, prev XS_ADDR_NONE if there is none. */
uint64_t eng_sample_next(
	enum eng_sample sample, uint64_t seed, xs_addr prev, xs_addr pc, uint64_t n);
/* Whether the n-th is kept; 0, if nobody counts, is. All that are kept before it are worked out:
 * who asks for one after the other keeps the next instead. */
bool eng_sample_keeps(enum eng_sample sample, uint64_t seed, xs_addr prev, xs_addr pc, uint64_t n);

#endif
