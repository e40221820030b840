/* The core as a library for tests in other languages: a board whose bytes, pieces and time the caller holds. */
#include <string.h>

#include "port.h"
#include "protocol.h"

#define ROOM 65536

const uint16_t port_scan_hz = 1000;

void library_start(uint32_t uid, uint16_t boot_id);
void library_give(const uint8_t *bytes, unsigned count);
unsigned library_take(uint8_t *bytes);
void library_scan(unsigned scans, uint8_t elapsed, const uint8_t *readings);
unsigned library_keys(void);
unsigned library_debounce_size(void);

static uint8_t to_board[ROOM], to_host[ROOM];
static unsigned given, taken, said;

/* The board starts; what was on its way is lost. */
void library_start(uint32_t uid, uint16_t boot_id)
{
    given = taken = said = 0;
    protocol_start(uid, boot_id);
}

/* Bytes for the board; what is more than ROOM is lost. */
void library_give(const uint8_t *bytes, unsigned count)
{
    memmove(to_board, to_board + taken, given - taken);
    given -= taken;
    taken = 0;
    if (count > ROOM - given)
        count = ROOM - given;
    memcpy(to_board + given, bytes, count);
    given += count;
}

/* The bytes that the board has sent, at most ROOM. */
unsigned library_take(uint8_t *bytes)
{
    unsigned count = said;

    memcpy(bytes, to_host, count);
    said = 0;
    return count;
}

/* So many scans, each so many milliseconds after the one before, of what all keys read. */
void library_scan(unsigned scans, uint8_t elapsed, const uint8_t *readings)
{
    uint8_t key;

    for (; scans > 0; scans--) {
        protocol_elapsed(elapsed);
        for (key = 0; key < KEYS; key++)
            protocol_read(key, readings[key]);
        protocol_run();
    }
}

unsigned library_keys(void)
{
    return KEYS;
}

unsigned library_debounce_size(void)
{
    return sizeof(struct debounce);
}

uint8_t port_room(void)
{
    return (uint8_t)(ROOM - said < FRAME_WIRE ? ROOM - said : FRAME_WIRE);
}

void port_send(const uint8_t *data, uint8_t length)
{
    memcpy(to_host + said, data, length);
    said += length;
}

bool port_receive(uint8_t *byte)
{
    if (taken == given)
        return false;
    *byte = to_board[taken++];
    return true;
}

uint16_t port_supply(void)
{
    return 0;
}

#ifdef LIGHTS
void port_show(void)
{
}
#endif

#ifdef HALL
static uint8_t kept[HALL_KEPT_SIZE];

uint8_t port_reading(uint8_t place)
{
    (void)place;
    return HALL_ZERO;
}

uint8_t port_kept(uint8_t address)
{
    return kept[address];
}

bool port_keep(uint8_t address, uint8_t byte)
{
    kept[address] = byte;
    return true;
}
#endif
