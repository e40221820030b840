/* From readings of linear Hall sensors to levels, and the table of calibration behind it.
 *
 * A sensor reads `zero` with nothing above it; a magnet moves the reading up or down, by its pole: so the side of zero
 * tells the colour. Two magnets move it further: a king, but that is a hint only (a man that is centred well can look
 * like a king that is not). All numbers are counts of an ADC of eight bits. */
#ifndef DAMAS_HALL_H
#define DAMAS_HALL_H

#include <stdbool.h>
#include <stdint.h>

#include "geometry.h"

#define HALL_ZERO 128           /* the factory's table, until the board is calibrated */
#define HALL_MAN 8
#define HALL_KING 255           /* none: how far off zero a man is depends on the magnets, and is not known yet */
#define HALL_STAYS(man) ((man) - (man) * 3 / 8) /* a piece is there until less than this: 25 % where it came at 40 % */
#define HALL_KING_STAYS 3       /* a king is one until this much below the threshold */
#define HALL_WHITE_ABOVE 0x01   /* flags: white pieces move the reading up, not down */
#define HALL_TRACKED 2          /* zero follows readings of an empty place that are off by at most this, */
#define HALL_TRACKED_MOST 6     /* and never further from where it was calibrated than this */
#define HALL_TRACK_FOR 500      /* ms that each place in turn is watched for it */

struct hall_square {
    uint8_t zero, man, king; /* man, king: from how far off zero on */
};

/* The bytes that are kept, in this order, with their CRC (low byte first) behind them. */
struct hall_table {
    uint8_t flags;
    struct hall_square squares[PLACES];
};
#define HALL_TABLE_SIZE (1 + 3 * PLACES)
#define HALL_KEPT_SIZE (HALL_TABLE_SIZE + 2)

struct hall {
    struct hall_table table;
    bool factory;       /* no sound table was kept, or it was put aside */
    bool written;       /* the table was written and is not kept yet: zero does not follow anything */
    uint8_t keeping;    /* the address of the byte to be kept next; HALL_KEPT_SIZE where nothing is to be */
    uint16_t crc;       /* of the table that is being kept */
    uint8_t tracked;    /* the place that is watched now, */
    uint16_t watched;   /* for so many ms, */
    int8_t lean;        /* and it was always above (1), always below (-1), or neither (0) */
};

void hall_start(struct hall *hall);
void hall_factory(struct hall *hall);

/* The level (0 to 4) of a reading of a place (from 0) whose level is `now`. */
uint8_t hall_level(const struct hall *hall, uint8_t place, uint8_t reading, uint8_t now);

/* A reading of a place whose level is `level`, `elapsed` ms after the one before: zero follows slow drift. */
void hall_track(struct hall *hall, uint8_t place, uint8_t reading, uint8_t level, uint8_t elapsed);

/* Places from `first` (from 0) on get the `count` squares at `bytes`, as they are on the wire. */
void hall_write(struct hall *hall, uint8_t first, const uint8_t *bytes, uint8_t count);

/* Begin to keep the table with these flags. False, and nothing is changed, where its CRC would not be `crc`. */
bool hall_keep_all(struct hall *hall, uint8_t flags, uint16_t crc);

/* Go on keeping, if there is something to be kept. */
void hall_keep(struct hall *hall);

#endif
