/* Hall sensors: readings to levels, hysteresis, slow drift, and the table of calibration. */
#include "check.h"

#ifndef HALL
void test_hall(void)
{
}
#else
#include <stdio.h>
#include <string.h>

#include "bench.h"
#include "hall.h"
#include "port.h"

#define KING 36 /* as if it had been calibrated */

static struct hall hall;

struct step {
    uint8_t reading, level; /* of a place whose level is that of the step before */
};

static void check_steps(uint8_t place, const struct step *steps, unsigned count)
{
    uint8_t now = 0;
    unsigned i;

    for (i = 0; i < count; i++) {
        now = hall_level(&hall, place, steps[i].reading, now);
        if (now != steps[i].level)
            check_failed(__FILE__, __LINE__, "step %u: reading %d is %d, not %d", i, steps[i].reading, now,
                         steps[i].level);
    }
}

#define CHECK_STEPS(place, steps) check_steps(place, steps, sizeof steps / sizeof *steps)

static void begin(const char *name)
{
    snprintf(check_context, sizeof check_context, "Hall sensors of %d places, %s", PLACES, name);
    bench_start(NULL);
    hall_start(&hall);
}

static void write_square(uint8_t place, uint8_t zero, uint8_t man, uint8_t king)
{
    uint8_t bytes[3];

    bytes[0] = zero;
    bytes[1] = man;
    bytes[2] = king;
    hall_write(&hall, place, bytes, 1);
}

/* By a way of its own: bit by bit over all bytes. */
static uint16_t crc_of_table(uint8_t flags)
{
    uint32_t crc = 0xFFFF;
    unsigned byte, bit;

    for (byte = 0; byte < HALL_TABLE_SIZE; byte++) {
        const uint8_t *bytes = (const uint8_t *)&hall.table;

        for (bit = 0; bit < 8; bit++) {
            unsigned in = (unsigned)(byte ? bytes[byte] : flags) >> (7 - bit) & 1u;

            crc = (crc << 1 & 0xFFFF) ^ ((crc >> 15 ^ in) & 1u ? 0x1021 : 0);
        }
    }
    return (uint16_t)crc;
}

static void keep(uint8_t flags)
{
    unsigned i;

    CHECK(hall_keep_all(&hall, flags, crc_of_table(flags)));
    for (i = 0; i < HALL_KEPT_SIZE; i++)
        hall_keep(&hall);
    CHECK_EQUAL(hall.keeping, HALL_KEPT_SIZE);
    CHECK_EQUAL(bench.written, HALL_KEPT_SIZE);
}

/* Every place reads its zero and is empty, but `place` reads `reading` and has `level`; for `ms`, each `every`. */
static void watch(uint8_t place, uint8_t reading, uint8_t level, unsigned ms, uint8_t every)
{
    for (; ms >= every; ms -= every) {
        uint8_t each;

        for (each = 0; each < PLACES; each++)
            if (each == place)
                hall_track(&hall, each, reading, level, every);
            else
                hall_track(&hall, each, hall.table.squares[each].zero, 0, every);
    }
}

#define ROUND (HALL_TRACK_FOR * PLACES) /* ms in which each place is watched once */

static void calibrate_kings(void)
{
    uint8_t place;

    for (place = 0; place < PLACES; place++)
        hall.table.squares[place].king = KING;
}

static void test_levels(void)
{
    static const struct step WHITE[] = {{128, 0}, {121, 0}, {120, 1}, {123, 1}, {124, 0}, {123, 0}, {120, 1}, {93, 1},
                                        {92, 3},  {95, 3},  {96, 1},  {93, 1},  {92, 3},  {123, 1}, {124, 0}, {92, 3},
                                        {124, 0}, {0, 3},   {128, 0}};
    static const struct step BLACK[] = {{135, 0}, {136, 2}, {133, 2}, {132, 0}, {133, 0}, {136, 2}, {163, 2}, {164, 4},
                                        {161, 4}, {160, 2}, {163, 2}, {164, 4}, {255, 4}, {128, 0}};
    static const struct step OVER[] = {{120, 1}, {133, 0}, {120, 1}, {136, 2}, {123, 0}, {92, 3}, {163, 2}};
    static const struct step TURNED[] = {{136, 1}, {133, 1}, {132, 0}, {120, 2}, {164, 3}, {92, 4}};
    static const struct step WRITTEN[] = {{140, 0}, {125, 0}, {124, 1}, {130, 1}, {131, 0}, {156, 2}, {180, 4}, {178, 4}, {177, 4},
                                          {176, 2}};
    static const struct step SMALLEST[] = {{127, 1}, {128, 0}, {129, 2}, {128, 0}};

    begin("levels and hysteresis");
    calibrate_kings();
    CHECK_STEPS(0, WHITE);
    CHECK_STEPS(PLACES - 1, BLACK);
    CHECK_STEPS(1, OVER);
    begin("another polarity");
    calibrate_kings();
    hall.table.flags = HALL_WHITE_ABOVE;
    CHECK_STEPS(0, TURNED);
    begin("thresholds of its own");
    calibrate_kings();
    write_square(PLACES - 1, 140, 16, 40);
    CHECK_STEPS(PLACES - 1, WRITTEN);
    CHECK_STEPS(0, WHITE);
    begin("the smallest threshold");
    write_square(3, 128, 1, 200);
    CHECK_STEPS(3, SMALLEST);
}

static void test_drift(void)
{
    static const uint8_t EVERY[] = {3, 10, 100};
    unsigned i;

    for (i = 0; i < sizeof EVERY; i++) {
        uint8_t every = EVERY[i];
        int step;

        begin("drift is followed, one step a round");
        watch(5, 129, 0, ROUND * 4 / 3, every);
        CHECK_EQUAL(hall.table.squares[5].zero, 129);
        for (step = 0; step < HALL_TRACKED_MOST + 1; step++)
            watch(5, (uint8_t)(hall.table.squares[5].zero + 2), 0, ROUND * 4 / 3, every);
        CHECK_EQUAL(hall.table.squares[5].zero, HALL_ZERO + HALL_TRACKED_MOST);
        for (step = 0; step < 2 * HALL_TRACKED_MOST + 2; step++)
            watch(5, (uint8_t)(hall.table.squares[5].zero - 1), 0, ROUND * 4 / 3, every);
        CHECK_EQUAL(hall.table.squares[5].zero, HALL_ZERO - HALL_TRACKED_MOST);
        CHECK_EQUAL(hall.table.squares[4].zero, HALL_ZERO);
        CHECK_EQUAL(hall.table.squares[6].zero, HALL_ZERO);
    }
    begin("what is too far off, or not empty, or on both sides, is not followed");
    watch(5, HALL_ZERO + HALL_TRACKED + 1, 0, ROUND * 3, 10);
    CHECK_EQUAL(hall.table.squares[5].zero, HALL_ZERO);
    watch(5, HALL_ZERO + 1, 2, ROUND * 3, 10);
    CHECK_EQUAL(hall.table.squares[5].zero, HALL_ZERO);
    for (i = 0; i < ROUND * 3 / 20; i++) {
        watch(5, HALL_ZERO + 1, 0, 10, 10);
        watch(5, HALL_ZERO - 1, 0, 10, 10);
    }
    CHECK_EQUAL(hall.table.squares[5].zero, HALL_ZERO);
    for (i = 0; i < ROUND * 3 / 20; i++) {
        watch(5, HALL_ZERO + 1, 0, 10, 10);
        watch(5, HALL_ZERO, 0, 10, 10);
    }
    CHECK_EQUAL(hall.table.squares[5].zero, HALL_ZERO);

    begin("the ends of the scale");
    write_square(5, 0, 8, 36);
    write_square(6, 255, 8, 36);
    keep(0);
    watch(5, 2, 0, ROUND * 3, 10);
    watch(6, 253, 0, ROUND * 3, 10);
    CHECK(hall.table.squares[5].zero >= 2);
    CHECK(hall.table.squares[6].zero <= 253);
    watch(5, 0, 0, ROUND * 9, 10);
    watch(6, 255, 0, ROUND * 9, 10);
    CHECK_EQUAL(hall.table.squares[5].zero, 0);
    CHECK_EQUAL(hall.table.squares[6].zero, 255);
}

static void test_table(void)
{
    unsigned i;

    begin("no table is kept");
    CHECK(hall.factory);
    CHECK_EQUAL(hall.table.flags, 0);
    CHECK_EQUAL(hall.table.squares[PLACES - 1].zero, HALL_ZERO);
    CHECK_EQUAL(hall.table.squares[PLACES - 1].man, HALL_MAN);
    CHECK_EQUAL(hall.table.squares[PLACES - 1].king, HALL_KING);

    begin("written, not kept: it stands still, and is forgotten");
    write_square(9, 131, 20, 30);
    CHECK(hall.factory);
    watch(9, 132, 0, ROUND * 3, 10);
    watch(8, 129, 0, ROUND * 3, 10);
    CHECK_EQUAL(hall.table.squares[9].zero, 131);
    CHECK_EQUAL(hall.table.squares[8].zero, HALL_ZERO);
    CHECK_EQUAL(bench.written, 0);
    hall_start(&hall);
    CHECK_EQUAL(hall.table.squares[9].zero, HALL_ZERO);

    begin("a table that is not the host's is not kept, and its flags are not taken");
    write_square(9, 131, 20, 30);
    CHECK(!hall_keep_all(&hall, HALL_WHITE_ABOVE, crc_of_table(0)));
    CHECK_EQUAL(hall.table.flags, 0);
    CHECK_EQUAL(hall.keeping, HALL_KEPT_SIZE);

    begin("kept, and there again at the next start");
    write_square(0, 100, 9, 10);
    write_square(PLACES - 1, 150, 11, 12);
    keep(HALL_WHITE_ABOVE);
    CHECK(!hall.factory);
    CHECK_EQUAL(hall.table.flags, HALL_WHITE_ABOVE);
    hall_keep(&hall);
    CHECK_EQUAL(bench.written, HALL_KEPT_SIZE);
    watch(0, 101, 0, ROUND * 4 / 3, 10);
    CHECK_EQUAL(hall.table.squares[0].zero, 101);
    for (i = 0; i < 20; i++)
        watch(0, (uint8_t)(hall.table.squares[0].zero + 1), 0, ROUND * 4 / 3, 10);
    CHECK_EQUAL(hall.table.squares[0].zero, 106);
    hall_start(&hall);
    CHECK(!hall.factory);
    CHECK_EQUAL(hall.table.flags, HALL_WHITE_ABOVE);
    CHECK_EQUAL(hall.table.squares[0].zero, 100);
    CHECK_EQUAL(hall.table.squares[PLACES - 1].king, 12);

    for (i = 0; i < HALL_KEPT_SIZE; i++) {
        snprintf(check_context, sizeof check_context, "Hall sensors, a kept table whose byte %u has changed", i);
        bench.eeprom[i] ^= 0x10;
        hall_start(&hall);
        CHECK(hall.factory);
        CHECK_EQUAL(hall.table.squares[0].zero, HALL_ZERO);
        CHECK_EQUAL(hall.table.flags, 0);
        bench.eeprom[i] ^= 0x10;
    }
    begin("the factory's thresholds again");
    write_square(0, 100, 9, 10);
    keep(HALL_WHITE_ABOVE);
    write_square(0, 110, 9, 10);
    hall_factory(&hall);
    CHECK(hall.factory);
    CHECK_EQUAL(hall.table.squares[0].zero, HALL_ZERO);
    CHECK_EQUAL(hall.table.flags, 0);
    watch(0, HALL_ZERO + 1, 0, ROUND * 4 / 3, 10);
    CHECK_EQUAL(hall.table.squares[0].zero, HALL_ZERO + 1);
    hall_start(&hall);
    CHECK_EQUAL(hall.table.squares[0].zero, 100);

    begin("an EEPROM that takes its time, and no drift meanwhile");
    bench.slow_eeprom = 3;
    CHECK(hall_keep_all(&hall, 0, crc_of_table(0)));
    for (i = 0; i < HALL_KEPT_SIZE * 4 - 1; i++) {
        hall_keep(&hall);
        watch((uint8_t)hall.tracked, HALL_ZERO + 1, 0, 100, 100);
        CHECK(hall.keeping < HALL_KEPT_SIZE);
    }
    hall_keep(&hall);
    CHECK_EQUAL(hall.keeping, HALL_KEPT_SIZE);
    hall_start(&hall);
    CHECK(!hall.factory);
}

void test_hall(void)
{
    test_levels();
    test_drift();
    test_table();
}
#endif
