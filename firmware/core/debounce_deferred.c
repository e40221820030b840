/* Deferred, per key, asymmetric: a change is reported when the reading has been still for long enough.
 *
 * A contact bounces when it closes and when it opens, so the first change means nothing yet. From it on the key is
 * restless, until there has been a piece (whichever) for `down` ms, or none for `up` ms; what is read then is reported
 * if it is news. Each key has its own times, so one bad contact delays no other. A blip that ends as it began reports
 * nothing.
 *
 * A key that is never still would be silent for ever; so it is told apart: restless for UNSTABLE_AFTER it is unstable,
 * its reported level stays what it was, and it is believed again as soon as it is still.
 *
 * Another kind of piece on a place that is reported as occupied, as a Hall sensor may read it, is no bounce and makes
 * nothing restless: it is reported when it has been read for KIND_AFTER without a break. */
#include "debounce.h"

#include <string.h>

#define LEVEL 0x07
#define READING 0x38
#define READING_SHIFT 3
#define RESTLESS 0x40

static uint8_t later(uint8_t time, uint8_t elapsed)
{
    return elapsed > UINT8_MAX - time ? UINT8_MAX : (uint8_t)(time + elapsed);
}

void debounce_start(struct debounce *contacts, uint8_t down, uint8_t up)
{
    memset(contacts, 0, sizeof *contacts);
    contacts->down = down;
    contacts->up = up;
}

bool debounce_set(struct debounce *contacts, uint8_t down, uint8_t up)
{
    if (down < 1 || down > DEBOUNCE_MOST || up < 1 || up > DEBOUNCE_MOST)
        return false;
    contacts->down = down;
    contacts->up = up;
    return true;
}

bool debounce_read(struct debounce *contacts, uint8_t key, uint8_t reading, uint8_t elapsed)
{
    uint8_t *state = &contacts->state[key], *still = &contacts->still[key], *since = &contacts->since[key];
    uint8_t reported = *state & LEVEL;
    uint8_t last = (uint8_t)((*state & READING) >> READING_SHIFT);
    uint8_t bit = (uint8_t)(1u << (key & 7));

    if (*state == (reading << READING_SHIFT | reading))
        return false; /* nearly always */

    *state = (uint8_t)((*state & ~READING) | reading << READING_SHIFT);
    if (!reading == !last) {
        *still = later(*still, elapsed);
    } else {
        *still = 0;
        if (!(*state & RESTLESS)) {
            *state |= RESTLESS;
            *since = 0;
            return false;
        }
    }
    if (*state & RESTLESS) {
        *since = later(*since, elapsed);
        if (*still < (reading ? contacts->down : contacts->up)) {
            if (*since >= UNSTABLE_AFTER)
                contacts->unstable[key >> 3] |= bit;
            return false;
        }
        contacts->unstable[key >> 3] &= (uint8_t)~bit;
        *state = (uint8_t)(*state & ~RESTLESS);
        *since = 0;
        if (!reading == !reported)
            return false;
    } else {
        *since = reading == last ? later(*since, elapsed) : 0;
        if (reading == reported || *since < KIND_AFTER)
            return false;
    }
    *state = (uint8_t)(reading << READING_SHIFT | reading);
    return true;
}

uint8_t debounce_level(const struct debounce *contacts, uint8_t key)
{
    return contacts->state[key] & LEVEL;
}

bool debounce_settled(const struct debounce *contacts)
{
    uint8_t key;

    for (key = 0; key < KEYS; key++)
        if (contacts->state[key] & RESTLESS && !(contacts->unstable[key >> 3] >> (key & 7) & 1))
            return false;
    return true;
}
