/* What comes from the wire may be anything: bytes, frames, commands, in any mixture with pieces, time and a line that
 * takes what it likes. Whatever it is, what the board says is sound, and it still answers afterwards.
 *
 * With libFuzzer this is the target; without it (-DOWN_DRIVER) also a driver of its own, which changes the golden
 * frames at random, the same way in each run: fuzz-50 -runs=N FRAMES_TXT */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "check.h"
#include "port.h"
#include "protocol.h"

#define MOST 512 /* bytes of an input */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

char check_context[128];
static uint16_t newest;
static bool answered;
static uint8_t levels[KEYS];

void check_failed(const char *file, int line, const char *format, ...)
{
    va_list values;

    fprintf(stderr, "%s:%d: ", file, line);
    va_start(values, format);
    vfprintf(stderr, format, values);
    va_end(values);
    fprintf(stderr, "\n");
    abort();
}

static void hear(const struct heard *frame)
{
    const uint8_t *payload = frame->payload;
    uint16_t seq = (uint16_t)(payload[1] | payload[2] << 8);
    uint16_t ahead = (uint16_t)(seq - newest);
    uint8_t length = frame->length;

    CHECK(length >= 9);
    if (payload[0] != 0x02)
        CHECK_EQUAL(seq, newest);
    switch (payload[0]) {
    case 0x01:
        CHECK_EQUAL(length, 28);
        CHECK(payload[22] >= 1 && payload[22] <= DEBOUNCE_MOST && payload[23] >= 1 && payload[23] <= DEBOUNCE_MOST);
        answered |= payload[7] == 0xEE;
        break;
    case 0x02:
        CHECK_EQUAL(length, 9);
        CHECK((payload[7] >= 1 && payload[7] <= PLACES) || (payload[7] >= 0xF0 && payload[7] <= 0xF2));
        CHECK(payload[8] < LEVELS);
        if (ahead < 0x8000)
            newest = seq;
        else
            CHECK((uint16_t)-ahead < EVENT_LOG_SIZE);
        break;
    case 0x03:
        CHECK_EQUAL(length, 8 + (KEYS * LEVEL_BITS + 7) / 8);
        break;
    case 0x04:
        CHECK((length == 11 || length >= 13) && length <= 13 + KEY_BYTES);
        break;
    case 0x05:
        CHECK_EQUAL(length, 10);
        CHECK(payload[9] >= 1 && payload[9] <= 4);
        break;
    case 0x06:
        CHECK_EQUAL(length, 9);
        break;
#ifdef HALL
    case 0x07:
        CHECK(payload[7] >= 1 && payload[7] + length - 8 <= PLACES + 1);
        break;
    case 0x08:
        CHECK(length % 3 == 0 && payload[7] >= 1 && payload[7] + (length - 9) / 3 <= PLACES + 1);
        break;
#endif
    default:
        check_failed(__FILE__, __LINE__, "type %02x", payload[0]);
    }
}

static void give(const uint8_t *bytes, size_t count)
{
    if (bench.given - bench.taken + count <= sizeof bench.to_board)
        bench_give(bytes, count);
}

static void scan(uint8_t elapsed)
{
    uint8_t key;

    bench_elapsed(elapsed);
    protocol_elapsed(elapsed);
    for (key = 0; key < KEYS; key++) {
#ifdef HALL
        if (key < PLACES) {
            bench.readings[key] = levels[key];
            protocol_read(key, levels[key]);
            continue;
        }
#endif
        protocol_read(key, levels[key] & 1);
    }
    protocol_run();
}

/* One step of the input: what it is in the lowest two bits of its first byte; the bytes that it takes. */
static size_t step(const uint8_t *data, size_t size)
{
    size_t count = (data[0] >> 2) % 61;
    uint8_t wire[FRAME_WIRE];

    if (count > size - 1)
        count = size - 1;
    switch (data[0] & 3) {
    case 0:
        give(data + 1, count);
        return 1 + count;
    case 1:
        if (count > 0)
            give(wire, frame_encode(data + 1, (uint8_t)count, wire));
        return 1 + count;
    case 2:
        if (size > 2)
            levels[data[1] % KEYS] = data[2];
        return 3;
    default:
        bench.per_ms = data[0] >> 2 & 0x0F;
        bench.stuck = data[0] >> 7;
        scan(size > 1 ? data[1] : 1);
        return 2;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const uint8_t END[] = {0x00}, HELLO[] = {0x41, 0xEE};
    size_t at = 0, took;
    int i;

    bench_start(hear);
    bench.slow_eeprom = 1;
    memset(levels, 0, sizeof levels);
#ifdef HALL
    memset(levels, HALL_ZERO, PLACES);
#endif
    newest = 0;
    answered = false;
    protocol_start(1, 1);
    for (; at < size && at < MOST; at += took)
        took = step(data + at, size - at);
    bench.stuck = false;
    bench.per_ms = 11;
    for (i = 0; i < 500; i++) /* long enough for a table to be kept */
        scan(10);
    CHECK_EQUAL(bench.given, bench.taken);
    bench_give(END, sizeof END);
    bench_command(HELLO, sizeof HELLO);
    for (i = 0; i < 20; i++)
        scan(10);
    CHECK(answered);
    return 0;
}

#ifdef OWN_DRIVER
#include "golden.h"

#define SEEDS 128

static struct {
    uint8_t bytes[FRAME_WIRE];
    size_t count;
} seeds[SEEDS];
static unsigned seed_count;
static uint32_t state = 1;

static uint32_t draw(uint32_t below)
{
    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    return state % below;
}

static void take_seed(const struct golden *golden)
{
    if (golden->count <= FRAME_WIRE && seed_count < SEEDS) {
        memcpy(seeds[seed_count].bytes, golden->bytes, golden->count);
        seeds[seed_count++].count = golden->count;
    }
}

/* A golden frame, raw or its payload, somewhat changed; or something else that can happen. The bytes written. */
static size_t invent(uint8_t *to)
{
    uint8_t *bytes = to + 1;
    uint32_t seed = draw(seed_count), kind = draw(8);
    size_t count = seeds[seed].count, i;
    struct frame_reader reader;

    if (kind >= 6) {
        to[0] = (uint8_t)(draw(256) << 2 | 3);
        to[1] = (uint8_t)draw(kind == 6 ? 4 : 256);
        return 2;
    }
    if (kind == 5) {
        to[0] = 2;
        to[1] = (uint8_t)draw(KEYS);
        to[2] = (uint8_t)draw(256);
        return 3;
    }
    memcpy(bytes, seeds[seed].bytes, count);
    if (kind >= 2) { /* its payload: it will have a sound CRC */
        frame_start(&reader);
        for (i = 0; i + 1 < count; i++)
            frame_read(&reader, bytes[i]);
        count = frame_read(&reader, 0);
        memcpy(bytes, reader.data, count);
        if (draw(4))
            bytes[0] = (uint8_t)(0x41 + draw(8));
    }
    for (i = draw(4); i > 0 && count > 0; i--)
        switch (draw(4)) {
        case 0:
            bytes[draw((uint32_t)count)] = (uint8_t)draw(256);
            break;
        case 1:
            bytes[draw((uint32_t)count)] ^= (uint8_t)(1u << draw(8));
            break;
        case 2:
            count = draw((uint32_t)count + 1);
            break;
        default:
            if (count < 60)
                bytes[count++] = (uint8_t)draw(256);
        }
    if (count > 60)
        count = 60;
    to[0] = (uint8_t)(count << 2 | (kind >= 2));
    return 1 + count;
}

int main(int count, char **words)
{
    unsigned long runs = 0, run;
    char *slash;

    if (count != 3 || sscanf(words[1], "-runs=%lu", &runs) != 1 || (slash = strrchr(words[2], '/')) == NULL) {
        fprintf(stderr, "usage: %s -runs=N DIRECTORY/frames.txt\n", words[0]);
        return 2;
    }
    *slash = 0;
    golden_each(words[2], slash + 1, 4, take_seed);
    for (run = 0; run < runs; run++) {
        uint8_t input[MOST];
        size_t size = 0, wanted = 1 + draw(MOST - 64);

        while (size < wanted)
            size += invent(input + size);
        LLVMFuzzerTestOneInput(input, size);
    }
    printf("%s: %lu runs, all sound\n", words[0], runs);
    return 0;
}
#endif
