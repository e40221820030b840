/* From readings that bounce to levels that are reported. One algorithm a file, chosen by what is linked. */
#ifndef DAMAS_DEBOUNCE_H
#define DAMAS_DEBOUNCE_H

#include <stdbool.h>
#include <stdint.h>

#include "geometry.h"

/* Milliseconds: the longest debounce that is taken, how long a place may be restless before it is reported as unstable,
 * and how long another kind of piece must stand before it is believed (a king that is lifted slowly looks like a man on
 * its way up for up to 160 ms). */
#define DEBOUNCE_MOST 100
#define UNSTABLE_AFTER 200
#define KIND_AFTER 250

#define KEY_BYTES ((KEYS + 7) / 8)

struct debounce {
    uint8_t state[KEYS];         /* bits 0-2: the reported level; 3-5: the last reading; 6: it is restless */
    uint8_t still[KEYS];         /* ms since a piece came or went in the readings; stays at 255 */
    uint8_t since[KEYS];         /* ms, stays at 255: restless for so long; or the last reading's kind has stood so long */
    uint8_t unstable[KEY_BYTES]; /* a bit a key: restless for UNSTABLE_AFTER, and not still since */
    uint8_t down, up;            /* ms that a piece must be there, or gone: 1 to DEBOUNCE_MOST */
};

/* Nothing is there. `down` and `up` are 1 to DEBOUNCE_MOST. */
void debounce_start(struct debounce *contacts, uint8_t down, uint8_t up);

/* Other times from now on. False, and nothing is changed, for one that is not 1 to DEBOUNCE_MOST. */
bool debounce_set(struct debounce *contacts, uint8_t down, uint8_t up);

/* One reading (0 to 4) of one key (from 0), `elapsed` ms (at most 255) after the reading before it.
 * Whether the reported level changed. */
bool debounce_read(struct debounce *contacts, uint8_t key, uint8_t reading, uint8_t elapsed);

uint8_t debounce_level(const struct debounce *contacts, uint8_t key);

/* Whether every key is still, or known to be unstable. */
bool debounce_settled(const struct debounce *contacts);

#endif
