/* Frames: the golden ones and the bad ones (tests/wire), and any chopping of them. */
#include <stdio.h>
#include <string.h>

#include "check.h"
#include "frame.h"
#include "golden.h"

static void test_sound(const struct golden *golden)
{
    struct frame_reader reader;
    uint8_t wire[FRAME_WIRE];
    uint8_t length = 0;
    unsigned i;

    frame_start(&reader);
    for (i = 0; i < golden->count; i++) {
        CHECK_EQUAL(length, 0);
        length = frame_read(&reader, golden->bytes[i]);
    }
    CHECK_EQUAL(reader.bad, 0);
    CHECK_EQUAL(length, golden->count - FRAME_ADDS);
    if (length == 0)
        return;
    CHECK_EQUAL(frame_encode(reader.data, length, wire), golden->count);
    CHECK(memcmp(wire, golden->bytes, golden->count) == 0);
}

/* Between two sound frames; one that is only too short for its type is sound here. */
static void test_bad(const struct golden *golden)
{
    static const uint8_t BESIDE[] = {0x05, 0x41, 0x01, 0xd3, 0x33, 0x00};
    bool too_short = strcmp(golden->says, "length") == 0 && golden->count - 1 > 3;
    struct frame_reader reader;
    unsigned i, sound = 0;

    frame_start(&reader);
    for (i = 0; i < sizeof BESIDE; i++)
        sound += frame_read(&reader, BESIDE[i]) > 0;
    for (i = 0; i < golden->count; i++)
        sound += frame_read(&reader, golden->bytes[i]) > 0;
    CHECK_EQUAL(sound, too_short ? 2 : 1);
    CHECK_EQUAL(reader.bad, too_short ? 0 : 1);
    for (i = 0; i < sizeof BESIDE; i++)
        sound += frame_read(&reader, BESIDE[i]) > 0;
    CHECK_EQUAL(sound, too_short ? 3 : 2);
    CHECK_EQUAL(reader.bad, too_short ? 0 : 1);
}

static void test_lengths(void)
{
    uint8_t payload[FRAME_PAYLOAD], wire[FRAME_WIRE];
    uint8_t length, fill, got;
    struct frame_reader reader;
    uint8_t size, i;

    snprintf(check_context, sizeof check_context, "frames of every length");
    frame_start(&reader);
    for (length = 1; length <= FRAME_PAYLOAD; length++)
        for (fill = 0; fill < 4; fill++) {
            for (i = 0; i < length; i++)
                payload[i] = fill == 0 ? 0 : fill == 1 ? 0xFF : fill == 2 ? i % 3 : (uint8_t)(i * 37 + length);
            size = frame_encode(payload, length, wire);
            CHECK_EQUAL(size, length + FRAME_ADDS);
            for (i = 0; i + 1 < size; i++) {
                CHECK(wire[i] != 0);
                CHECK_EQUAL(frame_read(&reader, wire[i]), 0);
            }
            CHECK_EQUAL(wire[size - 1], 0);
            got = frame_read(&reader, 0);
            CHECK_EQUAL(got, length);
            CHECK(memcmp(reader.data, payload, length) == 0);
            CHECK_EQUAL(frame_read(&reader, 0), 0);
        }
    CHECK_EQUAL(reader.bad, 0);
}

static void check_bad(struct frame_reader *reader, const uint8_t *bytes, uint8_t count)
{
    uint8_t bad = reader->bad, i;

    for (i = 0; i < count; i++)
        CHECK_EQUAL(frame_read(reader, bytes[i]), 0);
    CHECK_EQUAL(reader->bad, bad + 1);
}

static void test_cut_and_grown(void)
{
    static const uint8_t CUT[] = {0x05, 0x41, 0x01, 0xd3, 0x00};
    uint8_t payload[FRAME_PAYLOAD], wire[FRAME_WIRE + 1], length;
    struct frame_reader reader;

    snprintf(check_context, sizeof check_context, "what a frame left in the reader does not mend the next one");
    frame_start(&reader);
    frame_read(&reader, 0x05);
    frame_read(&reader, 0x41);
    frame_read(&reader, 0x01);
    frame_read(&reader, 0xd3);
    frame_read(&reader, 0x33);
    CHECK_EQUAL(frame_read(&reader, 0), 2);
    check_bad(&reader, CUT, sizeof CUT);

    snprintf(check_context, sizeof check_context, "the longest frame with a byte too many");
    memset(payload, 7, sizeof payload);
    length = frame_encode(payload, FRAME_PAYLOAD, wire);
    wire[length - 1] = 0x55;
    wire[length] = 0;
    check_bad(&reader, wire, (uint8_t)(length + 1));
}

static void test_bad_counts(void)
{
    struct frame_reader reader;
    unsigned i;

    snprintf(check_context, sizeof check_context, "so many bad frames that the count stays");
    frame_start(&reader);
    for (i = 0; i < 300; i++) {
        CHECK_EQUAL(frame_read(&reader, 0x55), 0);
        CHECK_EQUAL(frame_read(&reader, 0), 0);
        CHECK_EQUAL(reader.bad, i < 255 ? i + 1 : 255);
    }
    snprintf(check_context, sizeof check_context, "the crc");
    {
        static const char TEXT[] = "123456789";
        uint16_t crc = FRAME_CRC_START;

        for (i = 0; TEXT[i]; i++)
            crc = frame_crc(crc, (uint8_t)TEXT[i]);
        CHECK_EQUAL(crc, 0x29B1);
    }
}

void test_frames(const char *golden_directory)
{
    CHECK(golden_each(golden_directory, "frames.txt", 4, test_sound) >= 37);
    CHECK(golden_each(golden_directory, "bad.txt", 3, test_bad) >= 16);
    test_lengths();
    test_cut_and_grown();
    test_bad_counts();
}
