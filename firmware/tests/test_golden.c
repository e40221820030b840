/* The golden frames, as this board says them, byte for byte, and as it answers them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "check.h"
#include "golden.h"
#include "protocol.h"

static unsigned said;

static void hear(const struct heard *frame)
{
    (void)frame;
}

/* A board in the middle of play, whose line keeps what it is given. */
static void start(const struct golden *golden)
{
    unsigned long seq = golden_number(golden, "seq=", 0);

    bench_start(hear);
    bench.per_ms = 1;
    protocol_start((uint32_t)golden_number(golden, "uid=", 0), (uint16_t)golden_number(golden, "boot_id=", 0));
    board.t = (uint32_t)golden_number(golden, "t=", 0);
    board.beat_due = board.t + HEARTBEAT_EVERY;
    board.start = STARTED;
    board.log.newest = board.log.sent = (uint16_t)seq;
    board.log.fresh = board.log.next = (uint16_t)(seq + 1);
}

static void check_said(const struct golden *golden)
{
    uint8_t end = board.start == TO_GREET; /* a 00 before the first frame */

    protocol_run();
    CHECK_EQUAL(bench.waiting, golden->count + end);
    CHECK(memcmp(bench.line + end, golden->bytes, golden->count) == 0);
    CHECK(!end || bench.line[0] == 0);
    said++;
}

static void say_event(const struct golden *golden)
{
    board.log.newest = board.log.sent = (uint16_t)(board.log.newest - 1);
    board.log.fresh = board.log.next = (uint16_t)(board.log.newest + 1);
    event_log_add(&board.log, board.t, (uint8_t)golden_number(golden, "key=", 0),
                  (uint8_t)golden_number(golden, "level=", 0));
}

static void say_snapshot(const struct golden *golden)
{
    const char *levels = strstr(golden->says, " of=") + 4;
    uint8_t key;

    for (key = 0; key < KEYS; key++) {
        uint8_t level = (uint8_t)(levels[key] - '0');

        debounce_read(&board.contacts, key, level, 0);
        debounce_read(&board.contacts, key, level, 255);
    }
    CHECK_EQUAL(strlen(levels), KEYS);
    board.answer.what = 0x03;
    board.answer.tag = (uint8_t)golden_number(golden, "tag=", 0);
}

static void say_heartbeat(const struct golden *golden)
{
    const char *unstable = strstr(golden->says, " unstable=");

    board.rate = (uint16_t)golden_number(golden, "scans=", 0);
    board.reader.bad = (uint8_t)golden_number(golden, "received_bad=", 0);
    board.log.overrun = (uint8_t)golden_number(golden, "overrun=", 0);
    bench.supply = (uint16_t)golden_number(golden, "supply_mv=", 0);
    board.beat = true;
    for (; unstable != NULL; unstable = strchr(unstable, ',')) {
        unsigned long key;

        unstable += *unstable == ',' ? 1 : strlen(" unstable=");
        key = strtoul(unstable, NULL, 10) - 1;
        board.contacts.unstable[key / 8] |= (uint8_t)(1u << key % 8);
    }
}

static void say_answer(const struct golden *golden)
{
    board.answer.what = strncmp(golden->says, "NAK", 3) == 0 ? 0x05 : 0x06;
    board.answer.tag = (uint8_t)golden_number(golden, "tag=", 0);
    board.answer.command = (uint8_t)golden_number(golden, "command=", 0);
    board.answer.code = (uint8_t)golden_number(golden, "code=", 0);
}

#ifdef HALL
static void say_calibration(const struct golden *golden)
{
    const char *squares = strstr(golden->says, " squares=") + strlen(" squares=");
    uint8_t first = (uint8_t)golden_number(golden, "first=", 0);
    struct hall_square *square = &board.hall.table.squares[first - 1];

    for (; squares != NULL; square++, squares = strchr(squares, ',')) {
        unsigned zero, man, king;

        squares += *squares == ',';
        CHECK_EQUAL(sscanf(squares, "%2x%2x%2x", &zero, &man, &king), 3);
        square->zero = (uint8_t)zero;
        square->man = (uint8_t)man;
        square->king = (uint8_t)king;
    }
    board.hall.table.flags = (uint8_t)golden_number(golden, "flags=", 0);
    board.answer.what = 0x08;
    board.answer.code = first;
}
#endif

/* Those that a board like this says, whatever its places. */
static const struct {
    const char *name;
    int places; /* 0: any */
    uint8_t levels; /* 0: any */
    void (*say)(const struct golden *golden);
} OURS[] = {
    {"event-down", 0, 0, say_event},
    {"event-up", 0, 0, say_event},
    {"event-black-king-on-72", 0, 0, say_event},
    {"event-clock-a", 0, 0, say_event},
    {"event-clock-b", 0, 0, say_event},
    {"event-adjust", 0, 0, say_event},
    {"snapshot-32-start", 32, 2, say_snapshot},
    {"snapshot-50-colour", 50, 5, say_snapshot},
    {"heartbeat", 0, 0, say_heartbeat},
    {"heartbeat-with-supply", 0, 0, say_heartbeat},
    {"heartbeat-unstable-place", 0, 0, say_heartbeat},
    {"heartbeat-unstable-places-and-clock-b-of-32", 32, 0, say_heartbeat},
    {"nak-unknown", 0, 0, say_answer},
    {"nak-gone", 0, 0, say_answer},
    {"ack-debounce", 0, 0, say_answer},
#ifdef HALL
    {"calibration", 32, 5, say_calibration},
    {"calibration-longest", 0, 5, say_calibration},
#endif
};

/* What the answer to a command is, on this board: type, tag, command, code. */
static void wanted_answer(const struct golden *golden, uint8_t *wanted)
{
    unsigned long code = golden_number(golden, "code=", 0);
    const char *says = golden->says;
    uint8_t command = golden->bytes[1];

    if (strncmp(says, "BAD", 3) == 0)
        command = (uint8_t)golden_number(golden, "command=", 0);
#ifndef LIGHTS
    if (command == 0x45)
        code = 1;
#endif
#ifndef HALL
    if (command == 0x46 || command == 0x47)
        code = 1;
#endif
    if (code == 0 && strncmp(says, "RESEND", 6) == 0)
        code = 3; /* there are no events yet */
    if (code == 0 && strncmp(says, "CALIBRATE-KEEP", 14) == 0)
        code = PLACES == 32 ? 0 : 4; /* of a board whose table that is */
    wanted[0] = code ? 0x05 : strncmp(says, "ASK-HELLO", 9) == 0 ? 0x01 : strncmp(says, "ASK-SNAPSHOT", 12) == 0 ? 0x03
                : strncmp(says, "CALIBRATE-READ", 14) == 0 ? 0x08 : 0x06;
    wanted[1] = (uint8_t)golden_number(golden, "tag=", 0);
    wanted[2] = command;
    wanted[3] = (uint8_t)code;
}

static struct heard answer;
static unsigned answers;

static void hear_answer(const struct heard *frame)
{
    if (frame->payload[0] == 0x07)
        return; /* readings, which were asked for */
    answer = *frame;
    answers++;
}

static void test_answer(const struct golden *golden)
{
    uint8_t wanted[4];
    unsigned i;

    start(golden);
#ifdef HALL
    for (i = 0; i < PLACES; i++)
        board.hall.table.squares[i] = (struct hall_square){128, 8, 36};
#endif
    bench.per_ms = 0;
    bench.hear = hear_answer;
    answers = 0;
    bench_give(golden->bytes, golden->count);
    for (i = 0; i < 256; i++)
        protocol_run();
    wanted_answer(golden, wanted);
    CHECK_EQUAL(answers, 1);
    CHECK_EQUAL(answer.payload[0], wanted[0]);
    if (wanted[0] == 0x08) {
        CHECK_EQUAL(answer.payload[7], golden_number(golden, "first=", 0));
        return;
    }
    CHECK_EQUAL(answer.payload[7], wanted[1]);
    if (wanted[0] >= 0x05)
        CHECK_EQUAL(answer.payload[8], wanted[2]);
    if (wanted[0] == 0x05)
        CHECK_EQUAL(answer.payload[9], wanted[3]);
}

static void test(const struct golden *golden)
{
    unsigned i;

    if (strcmp(golden->sender, "host") == 0) {
        test_answer(golden);
        return;
    }
#if PLACES == 32 && !defined HALL && !defined LIGHTS
    if (strcmp(golden->name, "hello-at-start") == 0) {
        start(golden);
        board.start = TO_GREET;
        check_said(golden);
    }
#endif
    for (i = 0; i < sizeof OURS / sizeof *OURS; i++)
        if (strcmp(golden->name, OURS[i].name) == 0 && (OURS[i].places == 0 || OURS[i].places == PLACES)
            && (OURS[i].levels == 0 || OURS[i].levels == LEVELS)) {
            start(golden);
            OURS[i].say(golden);
            check_said(golden);
        }
}

void test_golden(const char *golden_directory)
{
    CHECK(golden_each(golden_directory, "frames.txt", 4, test) >= 37);
    CHECK(said >= 12);
}
