/* frame_subject.h - functions for frame_test, each in several builds. */
#ifndef DI_FRAME_SUBJECT_H
#define DI_FRAME_SUBJECT_H

/* X(name): o0 is -O0; o2 is -O2 without a frame pointer; o2fp with one; debug is -O2 with
 * .debug_frame instead of .eh_frame. */
#define FRAME_SUBJECTS(X) X(o0) X(o2) X(o2fp) X(debug)

/* subject_x() calls all kinds of functions; subject_call_x() calls the one that it is given. */
#define FRAME_SUBJECT_DECLARE(x)                                                                   \
	int subject_##x(int a);                                                                    \
	int subject_call_##x(int (*function)(int), int a);
FRAME_SUBJECTS(FRAME_SUBJECT_DECLARE)

#endif
