#include "hall.h"

#include <string.h>

#include "frame.h"
#include "port.h"

static uint8_t distance(uint8_t one, uint8_t other)
{
    return one > other ? (uint8_t)(one - other) : (uint8_t)(other - one);
}

static uint16_t crc_of(const struct hall_table *table)
{
    const uint8_t *bytes = (const uint8_t *)table;
    uint16_t crc = FRAME_CRC_START;
    uint8_t i;

    for (i = 0; i < HALL_TABLE_SIZE; i++)
        crc = frame_crc(crc, bytes[i]);
    return crc;
}

void hall_factory(struct hall *hall)
{
    uint8_t place;

    hall->factory = true;
    hall->written = false;
    hall->table.flags = 0;
    for (place = 0; place < PLACES; place++)
        hall->table.squares[place] = (struct hall_square){HALL_ZERO, HALL_MAN, HALL_KING};
}

void hall_start(struct hall *hall)
{
    uint8_t *bytes = (uint8_t *)&hall->table;
    uint8_t i;

    memset(hall, 0, sizeof *hall);
    hall->keeping = HALL_KEPT_SIZE;
    for (i = 0; i < HALL_TABLE_SIZE; i++)
        bytes[i] = port_kept(i);
    hall->crc = (uint16_t)(port_kept(HALL_TABLE_SIZE) | port_kept(HALL_TABLE_SIZE + 1) << 8);
    if (crc_of(&hall->table) != hall->crc)
        hall_factory(hall);
}

uint8_t hall_level(const struct hall *hall, uint8_t place, uint8_t reading, uint8_t now)
{
    const struct hall_square *square = &hall->table.squares[place];
    bool above = reading > square->zero;
    bool white = above == (bool)(hall->table.flags & HALL_WHITE_ABOVE);
    bool same = now && (now & 1) == (white ? 1 : 0);
    uint8_t off = distance(reading, square->zero);
    uint8_t king = square->king;

    if (off < (same ? HALL_STAYS(square->man) : square->man))
        return 0;
    if (same && now >= 3 && king > HALL_KING_STAYS)
        king = (uint8_t)(king - HALL_KING_STAYS);
    return (uint8_t)((white ? 1 : 2) + (off >= king ? 2 : 0));
}

void hall_track(struct hall *hall, uint8_t place, uint8_t reading, uint8_t level, uint8_t elapsed)
{
    uint8_t *zero = &hall->table.squares[place].zero;
    int8_t lean = reading > *zero ? 1 : reading < *zero ? -1 : 0;

    if (place != hall->tracked)
        return;
    if (hall->watched == 0)
        hall->lean = lean;
    if (level || lean != hall->lean || distance(reading, *zero) > HALL_TRACKED)
        hall->lean = 0;
    hall->watched = (uint16_t)(hall->watched + elapsed);
    if (hall->watched < HALL_TRACK_FOR)
        return;
    /* A table that is written, or being kept, must not change under its CRC. */
    if (hall->lean && !hall->written && hall->keeping == HALL_KEPT_SIZE) {
        uint8_t calibrated = hall->factory ? HALL_ZERO : port_kept((uint8_t)(1 + 3 * place));

        if (distance((uint8_t)(*zero + hall->lean), calibrated) <= HALL_TRACKED_MOST)
            *zero = (uint8_t)(*zero + hall->lean);
    }
    hall->watched = 0;
    hall->tracked = (uint8_t)(place + 1 < PLACES ? place + 1 : 0);
}

void hall_write(struct hall *hall, uint8_t first, const uint8_t *bytes, uint8_t count)
{
    memcpy(&hall->table.squares[first], bytes, (size_t)count * sizeof *hall->table.squares);
    hall->written = true;
}

bool hall_keep_all(struct hall *hall, uint8_t flags, uint16_t crc)
{
    uint8_t before = hall->table.flags;

    hall->table.flags = flags;
    if (crc_of(&hall->table) != crc) {
        hall->table.flags = before;
        return false;
    }
    hall->crc = crc;
    hall->keeping = 0;
    return true;
}

void hall_keep(struct hall *hall)
{
    const uint8_t *bytes = (const uint8_t *)&hall->table;
    uint8_t i = hall->keeping;
    uint8_t byte;

    if (i == HALL_KEPT_SIZE)
        return;
    byte = i < HALL_TABLE_SIZE ? bytes[i] : (uint8_t)(i == HALL_TABLE_SIZE ? hall->crc : hall->crc >> 8);
    if (!port_keep(i, byte))
        return;
    hall->keeping++;
    if (hall->keeping == HALL_KEPT_SIZE) {
        hall->factory = false;
        hall->written = false;
    }
}
