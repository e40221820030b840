/* The golden frames of tests/wire, read line by line. */
#ifndef DAMAS_GOLDEN_H
#define DAMAS_GOLDEN_H

#include <stdint.h>

struct golden {
    char name[80], sender[16];
    uint8_t bytes[2048];
    unsigned count;
    char says[1024]; /* of a bad frame: the reason */
};

/* Each line of a file that has so many columns to `test`; how many there were. */
unsigned golden_each(const char *directory, const char *name, int columns, void (*test)(const struct golden *golden));

/* The number behind `field` ("tag=") in what a frame says; `otherwise` where it is not there. */
unsigned long golden_number(const struct golden *golden, const char *field, unsigned long otherwise);

#endif
