/* steady_filter.h - which system calls are handed to us: see steady_run.h. */
#ifndef ENG_STEADY_FILTER_H
#define ENG_STEADY_FILTER_H

/* Puts the filter on this process and what it starts. The descriptor that its questions come from;
 * -1 if there can be none. */
int eng_steady_filter(void);

#endif
