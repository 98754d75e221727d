/* rsp_signal.h - signals have numbers of their own in the gdb remote serial protocol. */
#ifndef ENG_RSP_SIGNAL_H
#define ENG_RSP_SIGNAL_H

/* The protocol's number of a signal of Linux, and back; 143 (unknown) and 0 for what has none. */
unsigned eng_rsp_signal_to(int signal);
int eng_rsp_signal_from(unsigned number);

#endif
