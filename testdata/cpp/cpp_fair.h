/* cpp_fair.h - a constant that each unit has for itself. */
#ifndef CPP_FAIR_H
#define CPP_FAIR_H

const unsigned char magic[4] = {0x4c, 0x5a, 0x49, 0x50};
int other(const unsigned char *bytes);

#endif
