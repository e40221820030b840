#include "bench.h"

#include <string.h>

#include "check.h"
#include "port.h"

const uint16_t port_scan_hz = 1000;

struct bench bench;

void bench_start(void (*hear)(const struct heard *frame))
{
    memset(&bench, 0, sizeof bench);
    memset(bench.eeprom, 0xFF, sizeof bench.eeprom);
    memset(bench.readings, 128, sizeof bench.readings);
    bench.hear = hear;
    frame_start(&bench.host);
}

static void arrive(const uint8_t *bytes, unsigned count)
{
    unsigned i;

    for (i = 0; i < count; i++) {
        struct heard heard;

        heard.length = frame_read(&bench.host, bytes[i]);
        if (heard.length) {
            memcpy(heard.payload, bench.host.data, heard.length);
            bench.hear(&heard);
        }
    }
    CHECK_EQUAL(bench.host.bad, 0);
}

void bench_elapsed(uint8_t ms)
{
    unsigned count = (unsigned)ms * bench.per_ms;

    if (bench.stuck)
        return;
    if (count > bench.waiting || bench.per_ms == 0)
        count = bench.waiting;
    bench.waiting = (uint8_t)(bench.waiting - count);
    arrive(bench.line, count);
    memmove(bench.line, bench.line + count, bench.waiting);
}

void bench_give(const uint8_t *bytes, size_t count)
{
    bench.given -= bench.taken;
    memmove(bench.to_board, bench.to_board + bench.taken, bench.given);
    bench.taken = 0;
    if (bench.given + count > sizeof bench.to_board) {
        check_failed(__FILE__, __LINE__, "the board does not listen");
        return;
    }
    memcpy(bench.to_board + bench.given, bytes, count);
    bench.given += (unsigned)count;
}

void bench_command(const uint8_t *payload, uint8_t length)
{
    uint8_t wire[FRAME_WIRE];

    bench_give(wire, frame_encode(payload, length, wire));
}

uint8_t port_room(void)
{
    return (uint8_t)(FRAME_WIRE - bench.waiting);
}

void port_send(const uint8_t *data, uint8_t length)
{
    CHECK(length <= port_room());
    memcpy(bench.line + bench.waiting, data, length);
    bench.waiting = (uint8_t)(bench.waiting + length);
    if (bench.per_ms == 0)
        bench_elapsed(0);
}

bool port_receive(uint8_t *byte)
{
    if (bench.taken == bench.given)
        return false;
    *byte = bench.to_board[bench.taken++];
    return true;
}

uint16_t port_supply(void)
{
    return bench.supply;
}

#ifdef LIGHTS
void port_show(void)
{
    bench.shown++;
}
#endif

#ifdef HALL
uint8_t port_reading(uint8_t place)
{
    return bench.readings[place];
}

uint8_t port_kept(uint8_t address)
{
    return bench.eeprom[address];
}

bool port_keep(uint8_t address, uint8_t byte)
{
    if (bench.asked++ < bench.slow_eeprom)
        return false;
    bench.asked = 0;
    bench.eeprom[address] = byte;
    bench.written++;
    return true;
}
#endif
