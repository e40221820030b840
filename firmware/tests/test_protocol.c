/* Tables of the whole board: time | what happens to it | what a host hears then.
 *
 * Whatever a table is about, every frame is held to what PROTOCOL.md says of all frames: numbers and times of headers,
 * events sent again as they were, snapshots that are what the events before them add up to, a heartbeat each second. */
#include "protocol.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "check.h"
#include "port.h"

#define ROWS 32
#define HEARD 256
#define TEXT 120
#define QUIET_STEP 100
#ifdef HALL
#define KING 36 /* in the tables: as if it had been calibrated */
#define TEXT_OF_VALUE(value) #value
#define TEXT_OF(value) TEXT_OF_VALUE(value)
#define FACTORY "128/8/" TEXT_OF(HALL_KING)
#endif

/* Input, with `;` between: "KEY=LEVEL ..." what is there from now on (places, a, b, adjust), "< HEX" a command,
 * "<< HEX" bytes, "line N" bytes the line takes a millisecond (0: all), "stuck", "free".
 * Output, with `;` between, see `hear`: "EVENT 7 3=1 @20", of which " @20" (when it was debounced) may be left out.
 * A heartbeat stands there only where it says something else than the one before. */
struct row {
    uint32_t at;
    const char *input, *output;
};

struct table {
    const char *name;
    uint16_t slack; /* ms: how long the line may take; not for jumping time, in which it stands still for too long */
    struct row rows[ROWS];
};

struct said {
    uint32_t at;
    char text[TEXT];
};

static const struct table TABLES[] = {
    {"an empty board starts", 0, {
        {0, "", "HELLO 0; SNAPSHOT 0"}}},
    {"a board starts with pieces on it", 0, {
        {0, "1=1 5=1 a=1", "HELLO 0"},
        {10, "", "EVENT 1 1=1 @10; EVENT 2 5=1 @10; EVENT 3 a=1 @10; SNAPSHOT 0 1 5 a"}}},
    {"a board that starts says nothing of what it has not seen yet", 0, {
        {0, "1=1; < 42 07", "HELLO 0"},
        {10, "", "EVENT 1 1=1; SNAPSHOT 0 1; SNAPSHOT 7 1"}}},
    {"a board starts with a bad contact", 0, {
        {0, "1=1 2=1; < 44 01 14 14", "HELLO 0 down 20 up 20; ACK 1 44"},
        {10, "1=0", ""},
        {20, "1=1", "EVENT 1 2=1"},
        {30, "1=0", ""}, {40, "1=1", ""}, {50, "1=0", ""}, {60, "1=1", ""}, {70, "1=0", ""}, {80, "1=1", ""},
        {90, "1=0", ""}, {100, "1=1", ""}, {110, "1=0", ""}, {120, "1=1", ""}, {130, "1=0", ""}, {140, "1=1", ""},
        {150, "1=0", ""}, {160, "1=1", ""}, {170, "1=0", ""}, {180, "1=1", ""}, {190, "1=0", ""},
        {200, "1=1", "BEAT ? 1; SNAPSHOT 0 2"},
        {210, "1=0", ""},
        {220, "1=1", ""},
        {240, "", "EVENT 2 1=1; BEAT"}}},
    {"the line takes nothing at the start", 0, {
        {0, "stuck", ""},
        {10, "1=1; < 42 09", ""},
        {20, "", ""},
        {500, "free", "HELLO 0; EVENT 1 1=1 @20; SNAPSHOT 0 1; SNAPSHOT 9 1"}}},
    {"play", 0, {
        {0, "", "HELLO 0; SNAPSHOT 0"},
        {100, "32=1", ""},
        {110, "", "EVENT 1 32=1 @110"},
        {200, "32=0 28=1", ""},
        {210, "", "EVENT 2 28=1 @210; EVENT 3 32=0 @210"},
        {300, "b=1", ""},
        {310, "", "EVENT 4 b=1"},
        {330, "b=0", ""},
        {340, "", "EVENT 5 b=0"},
        {400, "adjust=1", ""},
        {410, "", "EVENT 6 adjust=1"},
        {430, "< 42 01", "SNAPSHOT 1 28 adjust"},
        {1500, "28=0 adjust=0", ""},
        {1510, "", "EVENT 7 28=0; EVENT 8 adjust=0"}}},
    {"commands", 0, {
        {0, "", "HELLO 0; SNAPSHOT 0"},
        {100, "< 41 05", "HELLO 5"},
        {110, "< 41 06; < 42 07; < 41 ff", "HELLO 6; SNAPSHOT 7; HELLO 255"},
        {120, "< 43 08 01 00", "ACK 8 43"},
        {130, "< 44 09 14 64; < 41 0e", "ACK 9 44; HELLO 14 down 20 up 100"},
        {200, "7=1", ""},
        {220, "", "EVENT 1 7=1 @220"},
        {300, "7=0", ""},
        {400, "", "EVENT 2 7=0 @400"},
        {500, "< 44 0a 01 01", "ACK 10 44"},
        {510, "< 48 0b", "NAK 11 48 1"},
        {520, "< 60 0c 01 02 03", "NAK 12 60 1"},
        {530, "< 02 0d", "NAK 13 02 1"}}},
    {"commands of a wrong length", 0, {
        {0, "", "HELLO 0; SNAPSHOT 0"},
        {100, "< 41", "NAK 0 41 2"},
        {110, "< 60", "NAK 0 60 2"},
        {120, "< 41 02 00", "NAK 2 41 2"},
        {130, "< 42 03 00", "NAK 3 42 2"},
        {140, "< 43 04 01", "NAK 4 43 2"},
        {150, "< 43 05 01 00 00", "NAK 5 43 2"},
        {160, "< 44 06 01", "NAK 6 44 2"},
        {170, "< 44 07 01 01 01", "NAK 7 44 2"}}},
    {"debounces that are not taken change nothing", 0, {
        {0, "", "HELLO 0; SNAPSHOT 0"},
        {100, "< 44 01 00 0a", "NAK 1 44 4"},
        {110, "< 44 02 0a 00", "NAK 2 44 4"},
        {120, "< 44 03 65 0a", "NAK 3 44 4"},
        {130, "< 44 04 0a ff", "NAK 4 44 4"},
        {200, "1=1", ""},
        {210, "", "EVENT 1 1=1"},
        {300, "1=0", ""},
        {310, "", "EVENT 2 1=0"}}},
    {"asked again", 0, {
        {0, "1=1 2=1", "HELLO 0"},
        {10, "", "EVENT 1 1=1; EVENT 2 2=1; SNAPSHOT 0 1 2"},
        {100, "1=0", ""},
        {110, "", "EVENT 3 1=0"},
        {200, "< 43 01 02 00", "EVENT 2 2=1 @10; EVENT 3 1=0 @110; ACK 1 43"},
        {210, "< 43 02 01 00", "EVENT 1 1=1 @10; EVENT 2 2=1 @10; EVENT 3 1=0 @110; ACK 2 43"},
        {220, "< 43 03 04 00", "ACK 3 43"},
        {230, "< 43 04 05 00", "NAK 4 43 3"},
        {240, "< 43 05 00 00", "NAK 5 43 3"},
        {250, "< 43 06 00 80", "NAK 6 43 3"},
        {260, "< 42 07", "SNAPSHOT 7 2"}}},
    {"new events come while old ones are sent again", 0, {
        {0, "1=1 2=1", "HELLO 0"},
        {10, "", "EVENT 1 1=1; EVENT 2 2=1; SNAPSHOT 0 1 2"},
        {100, "stuck; < 43 01 01 00; < 42 02", ""},
        {110, "1=0", ""},
        {120, "", ""},
        {150, "2=0", ""},
        {160, "", ""},
        {200, "free", "EVENT 1 1=1 @10; EVENT 2 2=1 @10; EVENT 3 1=0 @120; EVENT 4 2=0 @160; ACK 1 43; SNAPSHOT 2"}}},
    {"an answer and events take turns", 0, {
        {0, "", "HELLO 0; SNAPSHOT 0"},
        {100, "1=1 2=1 3=1; stuck", ""},
        {150, "< 41 01; < 41 02; < 43 03 02 00; < 41 04", ""},
        {200, "free", "HELLO 1; EVENT 1 1=1; HELLO 2; EVENT 2 2=1; EVENT 3 3=1; ACK 3 43; HELLO 4"}}},
    {"bytes that are no frame", 0, {
        {0, "", "HELLO 0; SNAPSHOT 0"},
        {100, "<< 00 00 00", ""},
        {110, "<< 05 41 01 d3 34 00", ""},
        {120, "<< 05 41 01 d3 33 00", "HELLO 1"},
        {130, "<< 05 41 01", ""},
        {140, "<< d3 33", ""},
        {150, "<< 00", "HELLO 1"},
        {160, "<< ff ff 00 01 00", ""},
        {170, "<< 55 55 55 55 55 55 55 55 55 55 55 55 55 55 55 55 55 55 55 55 55 55 55 55 55 55 55 55 55 55 55 55", ""},
        {180, "<< 55 55 55 55 55 55 55 55 55 55 55 55 55 55 55 55 55 55 55 55 55 55 55 55 55 55 55 55 55 55 55 55 00", ""},
        {190, "<< 05 42 02 e3 56 00", "SNAPSHOT 2"},
        {1000, "", "BEAT bad 4"}}},
    {"a contact that is never still is told at once, and when it is still again", 0, {
        {0, "< 44 01 14 14", "HELLO 0 down 20 up 20; ACK 1 44; SNAPSHOT 0"},
        {10, "3=1", ""}, {20, "3=0", ""}, {30, "3=1", ""}, {40, "3=0", ""}, {50, "3=1", ""}, {60, "3=0", ""},
        {70, "3=1", ""}, {80, "3=0", ""}, {90, "3=1", ""}, {100, "3=0", ""}, {110, "3=1", ""}, {120, "3=0", ""},
        {130, "3=1", ""}, {140, "3=0", ""}, {150, "3=1", ""}, {160, "3=0", ""}, {170, "3=1", ""}, {180, "3=0", ""},
        {190, "3=1", ""}, {200, "3=0", ""},
        {210, "3=1", "BEAT ? 3"},
        {220, "3=0", ""},
        {230, "3=1", ""},
        {250, "", "EVENT 1 3=1 @250; BEAT"}}},
    {"a contact that is still again when a heartbeat is due, and the line takes nothing", 0, {
        {0, "< 44 01 14 14", "HELLO 0 down 20 up 20; ACK 1 44; SNAPSHOT 0"},
        {610, "3=1", ""}, {620, "3=0", ""}, {630, "3=1", ""}, {640, "3=0", ""}, {650, "3=1", ""}, {660, "3=0", ""},
        {670, "3=1", ""}, {680, "3=0", ""}, {690, "3=1", ""}, {700, "3=0", ""}, {710, "3=1", ""}, {720, "3=0", ""},
        {730, "3=1", ""}, {740, "3=0", ""}, {750, "3=1", ""}, {760, "3=0", ""}, {770, "3=1", ""}, {780, "3=0", ""},
        {790, "3=1", ""}, {800, "3=0", ""},
        {810, "3=1", "BEAT ? 3"},
        {820, "stuck", ""},
        {830, "", ""},
        {1500, "free", "EVENT 1 3=1; BEAT"}}},
    {"a line as quick as a real one", 20, {
        {0, "", "HELLO 0; SNAPSHOT 0"},
        {100, "line 11; 1=1 2=1 3=1 4=1", ""},
        {110, "", "EVENT 1 1=1 @110; EVENT 2 2=1 @110; EVENT 3 3=1 @110; EVENT 4 4=1 @110"},
        {1500, "1=0", ""},
        {1510, "", "EVENT 5 1=0 @1510"}}},
    {"a line that seldom has room", 1300, {
        {0, "", "HELLO 0; SNAPSHOT 0"},
        {200, "line 1; 1=1 2=1 3=1 4=1 5=1 6=1 7=1 8=1 9=1 10=1 11=1 12=1", ""},
        {210, "", "EVENT 1 1=1 @210; EVENT 2 2=1 @210; EVENT 3 3=1 @210; EVENT 4 4=1 @210"},
        {230, "< 43 02 08 00", "EVENT 5 5=1 @210; EVENT 6 6=1 @210; EVENT 7 7=1 @210; EVENT 8 8=1 @210"},
        {230, "", "EVENT 9 9=1 @210; EVENT 10 10=1 @210; EVENT 11 11=1 @210; EVENT 12 12=1 @210; ACK 2 43"}}},
#ifdef LIGHTS
    {"lights", 0, {
        {0, "", "HELLO 0; SNAPSHOT 0"},
        {100, "< 45 01 02 01 01 04 80", "ACK 1 45; LIGHTS 4"},
        {110, "< 45 02 00 01", "ACK 2 45; LIGHTS 3"},
        {120, "< 45 03 05", "ACK 3 45; LIGHTS 3"},
        {130, "< 45 04", "NAK 4 45 2"},
        {140, "< 45 05 06 01", "NAK 5 45 4"},
        {150, "< 45 06 01 00 00 00 00 00 00 00 00 01", "NAK 6 45 4"},
        {160, "< 45 07 01 01 00 00 00 00 00 00 00 00", "ACK 7 45; LIGHTS 4"},
        {60160, "", "LIGHTS 0"}}},
    {"a clock's button makes the board dark, when it is pressed", 0, {
        {0, "", "HELLO 0; SNAPSHOT 0"},
        {100, "< 45 01 01 ff; a=1", "ACK 1 45; LIGHTS 8"},
        {110, "", "EVENT 1 a=1; LIGHTS 0"},
        {200, "< 45 02 01 ff; a=0 adjust=1 3=1", "ACK 2 45; LIGHTS 8"},
        {210, "", "EVENT 2 3=1; EVENT 3 a=0; EVENT 4 adjust=1"},
        {300, "b=1", ""},
        {310, "", "EVENT 5 b=1; LIGHTS 0"}}},
    {"lights stay on while they are set again", 0, {
        {0, "", "HELLO 0; SNAPSHOT 0"},
        {100, "< 45 01 01 ff", "ACK 1 45; LIGHTS 8"},
        {50000, "< 45 02 01 01", "ACK 2 45; LIGHTS 8"},
        {110000, "", "LIGHTS 0"}}},
#else
    {"a board without lights", 0, {
        {0, "", "HELLO 0; SNAPSHOT 0"},
        {100, "< 45 01 02 01", "NAK 1 45 1"}}},
#endif
#ifdef HALL
    {"pieces of each kind", 0, {
        {0, "1=1 2=2 3=3 4=4", "HELLO 0"},
        {10, "", "EVENT 1 1=1; EVENT 2 2=2; EVENT 3 3=3; EVENT 4 4=4; SNAPSHOT 0 1 2=2 3=3 4=4"},
        {100, "1=3", ""},
        {350, "", "EVENT 5 1=3 @350"}}},
    {"readings", 0, {
        {0, "", "HELLO 0; SNAPSHOT 0"},
        {100, "< 46 01", "NAK 1 46 2"},
        {110, "< 46 02 0a 00", "NAK 2 46 2"},
        {120, "< 46 03 00", "ACK 3 46"}}},
    {"the table of calibration", 0, {
        {0, "", "HELLO 0; SNAPSHOT 0"},
        {100, "< 47 01 00 01", "CALIBRATION 1 x17 flags 0 first 128/8/36 last 128/8/36"},
        {110, "< 47 02 01 02 80 09 24 81 0a 25", "ACK 2 47"},
        {120, "< 47 03 00 02", "CALIBRATION 2 x17 flags 0 first 128/9/36 last 128/8/36"},
        {130, "< 47 04 00 03", "CALIBRATION 3 x17 flags 0 first 129/10/37 last 128/8/36"},
        {140, "< 47 05 03", "ACK 5 47"},
        {150, "< 47 06 00 03", "CALIBRATION 3 x17 flags 0 first " FACTORY " last " FACTORY}}},
    {"calibrations that are not taken", 0, {
        {0, "", "HELLO 0; SNAPSHOT 0"},
        {100, "< 47 01", "NAK 1 47 2"},
        {110, "< 47 02 04", "NAK 2 47 4"},
        {120, "< 47 03 00", "NAK 3 47 2"},
        {130, "< 47 04 00 01 01", "NAK 4 47 2"},
        {140, "< 47 05 00 00", "NAK 5 47 4"},
        {150, "< 47 06 00 65", "NAK 6 47 4"},
        {160, "< 47 07 01 01", "NAK 7 47 2"},
        {170, "< 47 08 01 01 80 08; < 47 08 01 01 80 08 24 80", "NAK 8 47 2; NAK 8 47 2"},
        {180, "< 47 09 01 00 70 08 20", "NAK 9 47 4"},
        {190, "< 47 0a 01 65 70 08 20", "NAK 10 47 4"},
        {200, "< 47 0b 02 00 12", "NAK 11 47 2"},
        {210, "< 47 0c 02 00 12 34", "NAK 12 47 4"},
        {220, "< 47 0d 02 01 12 34 56", "NAK 13 47 2"},
        {230, "< 47 0e 03 00", "NAK 14 47 2"},
        {240, "< 47 0f 00 01", "CALIBRATION 1 x17 flags 0 first 128/8/36 last 128/8/36"}}},
#else
    {"a board without readings", 0, {
        {0, "", "HELLO 0; SNAPSHOT 0"},
        {100, "< 46 01 0a", "NAK 1 46 1"},
        {110, "< 47 02 00 01", "NAK 2 47 1"},
        {120, "< 47 03", "NAK 3 47 1"}}},
#endif
};

#ifdef HALL
static uint8_t drift; /* of all Hall sensors */
#endif
static struct said said[HEARD];
static unsigned said_count;
static uint8_t levels[KEYS];       /* what is there */
static uint8_t heard_levels[KEYS]; /* what the events add up to */
static bool hole;                  /* events are missing to the host */
static uint16_t newest;            /* number of an event that was heard */
static struct heard events[EVENT_LOG_SIZE]; /* the newest ones as they were heard first */
static uint32_t heard_t;
static char beat[TEXT];            /* what the newest heartbeat said */
static unsigned beats;
static uint16_t beat_scans;        /* of the newest heartbeat */
static uint32_t now;               /* since the table began */
static uint32_t t_offset;          /* of the board's time */

static uint16_t u16(const uint8_t *bytes)
{
    return (uint16_t)(bytes[0] | bytes[1] << 8);
}

static uint32_t u32(const uint8_t *bytes)
{
    return (uint32_t)u16(bytes) | (uint32_t)u16(bytes + 2) << 16;
}

static void say(const char *text)
{
    if (said_count == HEARD) {
        check_failed(__FILE__, __LINE__, "more was heard than there is room for");
        return;
    }
    said[said_count].at = now;
    snprintf(said[said_count].text, TEXT, "%s", text);
    said_count++;
}

static const char *name_of(uint8_t key)
{
    static const char *const BUTTON_NAMES[] = {"a", "b", "adjust"};
    static char name[8];

    if (key >= PLACES)
        return BUTTON_NAMES[key - PLACES];
    snprintf(name, sizeof name, "%d", key + 1);
    return name;
}

static uint8_t key_of(uint8_t wire)
{
    CHECK((wire >= 1 && wire <= PLACES) || (wire >= 0xF0 && wire <= 0xF2));
    return (uint8_t)(wire >= 0xF0 ? PLACES + wire - 0xF0 : wire - 1);
}

static void hear_event(const struct heard *frame)
{
    uint16_t number = u16(frame->payload + 1);
    uint16_t ahead = (uint16_t)(number - newest);
    struct heard *kept = &events[number % EVENT_LOG_SIZE];
    uint8_t key = key_of(frame->payload[7]);
    char text[TEXT];

    CHECK_EQUAL(frame->length, 9);
    CHECK(frame->payload[8] < (key < PLACES ? LEVELS : 2));
    if (ahead >= 1 && ahead < 0x8000) {
        hole |= ahead > 1;
        newest = number;
        *kept = *frame;
        heard_levels[key] = frame->payload[8];
    } else if (u16(kept->payload + 1) == number) {
        CHECK(memcmp(kept->payload, frame->payload, frame->length) == 0);
    }
    snprintf(text, sizeof text, "EVENT %u %s=%u @%lu", number, name_of(key), frame->payload[8],
             (unsigned long)(u32(frame->payload + 3) - t_offset));
    say(text);
}

static void hear_snapshot(const struct heard *frame)
{
    char text[TEXT];
    size_t end = (size_t)snprintf(text, sizeof text, "SNAPSHOT %u", frame->payload[7]);
    uint8_t key;

    CHECK_EQUAL(frame->length, 8 + (KEYS * LEVEL_BITS + 7) / 8);
    for (key = 0; key < KEYS; key++) {
        unsigned bit = key * LEVEL_BITS;
        uint8_t level = frame->payload[8 + bit / 8] >> bit % 8 & ((1 << LEVEL_BITS) - 1);

        if (hole)
            heard_levels[key] = level;
        if (level != heard_levels[key])
            check_failed(__FILE__, __LINE__, "the snapshot has %u on %s, and the events before it %u", level,
                         name_of(key), heard_levels[key]);
        if (level)
            end += (size_t)snprintf(text + end, sizeof text - end, level > 1 ? " %s=%u" : " %s", name_of(key), level);
    }
    CHECK_EQUAL(frame->payload[frame->length - 1] >> ((KEYS * LEVEL_BITS + 7) % 8 + 1), 0);
    hole = false;
    say(text);
}

static void hear_heartbeat(const struct heard *frame)
{
    char text[TEXT] = "BEAT";
    size_t end = 4;
    unsigned key;

    CHECK(frame->length == 11 || (frame->length >= 13 && frame->length <= 13 + KEY_BYTES));
    CHECK(frame->length <= 13 || frame->payload[frame->length - 1] != 0);
    CHECK_EQUAL(frame->length > 11 ? u16(frame->payload + 11) : 0, bench.supply);
    if (frame->payload[9])
        end += (size_t)snprintf(text + end, sizeof text - end, " bad %u", frame->payload[9]);
    if (frame->payload[10])
        end += (size_t)snprintf(text + end, sizeof text - end, " overrun %u", frame->payload[10]);
    if (frame->length > 13)
        end += (size_t)snprintf(text + end, sizeof text - end, " ?");
    for (key = 0; frame->length > 13 + key / 8; key++)
        if (frame->payload[13 + key / 8] >> key % 8 & 1) {
            CHECK(key < KEYS);
            end += (size_t)snprintf(text + end, sizeof text - end, " %s", name_of((uint8_t)key));
        }
    beats++;
    beat_scans = u16(frame->payload + 7);
    if (strcmp(text, beat) != 0)
        say(text);
    snprintf(beat, sizeof beat, "%s", text);
}

static void hear(const struct heard *frame)
{
    const uint8_t *payload = frame->payload;
    uint8_t count = (uint8_t)((frame->length - 9) / 3);
    char text[TEXT] = "";

    CHECK(frame->length >= 9);
    if (payload[0] != 0x02) {
        CHECK_EQUAL(u16(payload + 1), newest);
        CHECK(u32(payload + 3) - t_offset <= now);
        CHECK(u32(payload + 3) - t_offset >= heard_t);
        if (bench.per_ms == 0)
            CHECK_EQUAL(u32(payload + 3) - t_offset, now);
        heard_t = u32(payload + 3) - t_offset;
    }
    switch (payload[0]) {
    case 0x01:
        CHECK_EQUAL(frame->length, 28);
        if (payload[22] == DEBOUNCE_DOWN && payload[23] == DEBOUNCE_UP)
            snprintf(text, sizeof text, "HELLO %u", payload[7]);
        else
            snprintf(text, sizeof text, "HELLO %u down %u up %u", payload[7], payload[22], payload[23]);
        break;
    case 0x02:
        hear_event(frame);
        return;
    case 0x03:
        hear_snapshot(frame);
        return;
    case 0x04:
        hear_heartbeat(frame);
        return;
    case 0x05:
        CHECK_EQUAL(frame->length, 10);
        snprintf(text, sizeof text, "NAK %u %02x %u", payload[7], payload[8], payload[9]);
        break;
    case 0x06:
        CHECK_EQUAL(frame->length, 9);
        snprintf(text, sizeof text, "ACK %u %02x", payload[7], payload[8]);
        break;
    case 0x07:
        snprintf(text, sizeof text, "RAW %u x%u", payload[7], frame->length - 8);
        break;
    case 0x08:
        CHECK_EQUAL(frame->length, 9 + 3 * count);
        snprintf(text, sizeof text, "CALIBRATION %u x%u flags %u first %u/%u/%u last %u/%u/%u", payload[7], count,
                 payload[8], payload[9], payload[10], payload[11], payload[6 + 3 * count], payload[7 + 3 * count],
                 payload[8 + 3 * count]);
        break;
    default:
        check_failed(__FILE__, __LINE__, "type %02x", payload[0]);
    }
    say(text);
}

/* A host that was there from the start. */
static void start(void)
{
    bench_start(hear);
    memset(levels, 0, sizeof levels);
    memset(heard_levels, 0, sizeof heard_levels);
    memset(events, 0xFF, sizeof events);
    hole = false;
    newest = 0;
    heard_t = 0;
    now = 0;
    t_offset = 0;
    said_count = 0;
    beats = 0;
    strcpy(beat, "BEAT");
    protocol_start(0x01020304, 7);
#ifdef HALL
    {
        uint8_t place;

        for (place = 0; place < PLACES; place++)
            board.hall.table.squares[place].king = KING;
    }
#endif
}

static void scan(uint8_t elapsed)
{
    uint8_t key;

    bench_elapsed(elapsed);
    protocol_elapsed(elapsed);
    for (key = 0; key < KEYS; key++) {
#ifdef HALL
        static const uint8_t READINGS[] = {HALL_ZERO, HALL_ZERO - 20, HALL_ZERO + 20, HALL_ZERO - 50, HALL_ZERO + 50};

        if (key < PLACES) {
            bench.readings[key] = (uint8_t)(READINGS[levels[key]] + drift);
            protocol_read(key, bench.readings[key]);
            continue;
        }
#endif
        protocol_read(key, levels[key]);
    }
    protocol_run();
#ifdef LIGHTS
    {
        static unsigned shown;
        uint8_t rgb[3], place, lit = 0;
        char text[TEXT];

        if (bench.shown != shown && now > 0) {
            for (place = 0; place < PLACES; place++) {
                lights_rgb(&board.lights, place, rgb);
                lit = (uint8_t)(lit + (rgb[0] || rgb[1] || rgb[2]));
            }
            snprintf(text, sizeof text, "LIGHTS %u", lit);
            say(text);
        }
        shown = bench.shown;
    }
#endif
}

static void put_keys(char *words)
{
    static const struct {
        const char *name;
        uint8_t key;
    } NAMES[] = {{"a", PLACES}, {"b", PLACES + 1}, {"adjust", PLACES + 2}};
    char *word, *value;
    unsigned i;

    for (word = strtok(words, " "); word != NULL; word = strtok(NULL, " ")) {
        uint8_t key = (uint8_t)(atoi(word) - 1);

        value = strchr(word, '=');
        if (value == NULL) {
            check_failed(__FILE__, __LINE__, "what is '%s'?", word);
            return;
        }
        *value = 0;
        for (i = 0; i < 3; i++)
            if (strcmp(word, NAMES[i].name) == 0)
                key = NAMES[i].key;
        CHECK(key < KEYS);
        levels[key] = (uint8_t)atoi(value + 1);
    }
}

static size_t hex(const char *text, uint8_t *bytes)
{
    size_t count = 0;
    char *end;

    for (;; text = end) {
        unsigned long byte = strtoul(text, &end, 16);

        if (end == text)
            return count;
        bytes[count++] = (uint8_t)byte;
    }
}

static void put_in(const char *input)
{
    char text[256], *part = text, *end;

    snprintf(text, sizeof text, "%s", input);
    for (; part != NULL && *part; part = end) {
        uint8_t bytes[64];

        end = strchr(part, ';');
        if (end != NULL)
            *end++ = 0;
        part += strspn(part, " ");
        if (strncmp(part, "<<", 2) == 0)
            bench_give(bytes, hex(part + 2, bytes));
        else if (*part == '<')
            bench_command(bytes, (uint8_t)hex(part + 1, bytes));
        else if (strncmp(part, "line", 4) == 0)
            bench.per_ms = (uint8_t)atoi(part + 4);
        else if (strcmp(part, "stuck") == 0) {
            bench.stuck = true;
            bench.waiting = FRAME_WIRE;
            bench.line[0] = 0;
            memset(bench.line, 0, sizeof bench.line);
        } else if (strcmp(part, "free") == 0) {
            bench.stuck = false;
            bench_elapsed(0);
        } else
            put_keys(part);
    }
}

/* Whether what was said is what was wanted, which may leave out the time. */
static bool is_as_wanted(const struct said *got, const char *wanted, uint32_t at, unsigned slack, unsigned line)
{
    const char *their_time = strstr(got->text, " @"), *our_time = strstr(wanted, " @");
    size_t length = our_time ? (size_t)(our_time - wanted) : strlen(wanted);
    unsigned long theirs, ours;

    if ((their_time ? (size_t)(their_time - got->text) : strlen(got->text)) != length)
        return false;
    if (strncmp(got->text, wanted, length) != 0 || got->at < at || got->at > at + slack + line)
        return false;
    if (our_time == NULL)
        return true;
    theirs = strtoul(their_time + 2, NULL, 10);
    ours = strtoul(our_time + 2, NULL, 10);
    return theirs >= ours && theirs <= ours + slack;
}

static void compare(const struct table *table, const struct pace *pace)
{
    unsigned next = 0, row;

    for (row = 0; row < ROWS && table->rows[row].input != NULL; row++) {
        char text[512], *part = text, *end;

        snprintf(text, sizeof text, "%s", table->rows[row].output);
        for (; part != NULL && *part; part = end, next++) {
            uint32_t at = table->rows[row].at;

            end = strstr(part, "; ");
            if (end != NULL) {
                *end = 0;
                end += 2;
            }
            if (next >= said_count)
                check_failed(__FILE__, __LINE__, "'%s' was not heard at %lu", part, (unsigned long)at);
            else if (!is_as_wanted(&said[next], part, at, pace->slack, table->slack))
                check_failed(__FILE__, __LINE__, "'%s' at %lu was heard, not '%s' at %lu", said[next].text,
                             (unsigned long)said[next].at, part, (unsigned long)at);
        }
    }
    for (; next < said_count; next++)
        check_failed(__FILE__, __LINE__, "'%s' at %lu is too much", said[next].text, (unsigned long)said[next].at);
}

static void run(const struct table *table, const struct pace *pace)
{
    uint32_t named[ROWS], before = 0, end;
    unsigned row = 0, names = 0;

    snprintf(check_context, sizeof check_context, "a board of %d places, %.60s, %s", PLACES, table->name, pace->name);
    while (names < ROWS && table->rows[names].input != NULL) {
        named[names] = table->rows[names].at;
        names++;
    }
    end = named[names - 1] + pace->slack + table->slack;
    start();
    while (now < end + QUIET_FOR) {
        int more;

        while (row < names && table->rows[row].at <= now)
            put_in(table->rows[row++].input);
        scan((uint8_t)(now - before));
        for (more = pace->every == 0 && !pace->jumping ? 3 : 0; more > 0; more--)
            scan(0);
        if (bench.per_ms == 0 && !bench.stuck && (pace->jumping ? beats > now / 1000 + 2 : beats < now / 1000))
            check_failed(__FILE__, __LINE__, "%u heartbeats in %lu ms", beats, (unsigned long)now);
        before = now;
        now = now > end ? now + QUIET_STEP : pace_next(pace, now, named, names);
    }
    compare(table, pace);
}

static void begin(const char *name)
{
    snprintf(check_context, sizeof check_context, "a board of %d places, %s", PLACES, name);
    start();
}

static void pass(unsigned ms, uint8_t every)
{
    for (; ms >= every; ms -= every) {
        now += every;
        scan(every);
    }
}

static void check_said(unsigned first, const char *text)
{
    if (said_count <= first)
        check_failed(__FILE__, __LINE__, "'%s' was not heard", text);
    else if (!is_as_wanted(&said[first], text, 0, 0, UINT32_MAX))
        check_failed(__FILE__, __LINE__, "'%s' was heard, not '%s'", said[first].text, text);
}

/* Put the numbers of the events, or the time, shortly before their end. */
static void put_number(uint16_t number)
{
    board.log.newest = board.log.sent = newest = number;
    board.log.fresh = board.log.next = (uint16_t)(number + 1);
}

static void put_time(uint32_t t)
{
    t_offset = t - now;
    board.t = t;
    board.beat_due = t + HEARTBEAT_EVERY;
}

static void test_wraps(void)
{
    unsigned first;

    begin("the numbers of events begin anew behind 65535");
    pass(1, 1);
    put_number(65534);
    levels[0] = levels[1] = levels[2] = 1;
    first = said_count;
    pass(20, 1);
    check_said(first, "EVENT 65535 1=1");
    check_said(first + 1, "EVENT 0 2=1");
    check_said(first + 2, "EVENT 1 3=1");
    put_in("< 43 09 ff ff; < 43 0a 00 00; < 43 0b 02 00; < 43 0c 03 00; < 43 0d fe ff");
    first = said_count;
    pass(1, 1);
    check_said(first, "EVENT 65535 1=1");
    check_said(first + 1, "EVENT 0 2=1");
    check_said(first + 2, "EVENT 1 3=1");
    check_said(first + 3, "ACK 9 43");
    check_said(first + 4, "EVENT 0 2=1");
    check_said(first + 5, "EVENT 1 3=1");
    check_said(first + 6, "ACK 10 43");
    check_said(first + 7, "ACK 11 43");
    check_said(first + 8, "NAK 12 43 3");
    check_said(first + 9, "NAK 13 43 3");
    CHECK_EQUAL(said_count, first + 10);

    begin("the time begins anew behind 4294967295");
    pass(1, 1);
    put_time(UINT32_MAX - 1500);
    levels[0] = 1;
    first = said_count;
    pass(5000, 1);
    CHECK_EQUAL(beats, 5);
    levels[0] = 0;
    pass(20, 1);
    check_said(first, "EVENT 1 1=1");
    check_said(first + 1, "EVENT 2 1=0");
    CHECK_EQUAL(said_count, first + 2);
}

static void test_overrun(void)
{
    unsigned i, first;

    begin("more events than the log holds while the line takes nothing");
    pass(10, 1);
    put_in("stuck");
    first = said_count;
    for (i = 0; i < EVENT_LOG_SIZE + 5; i++) {
        levels[i % 7] ^= 1;
        pass(20, 1);
    }
    CHECK_EQUAL(said_count, first);
    put_in("< 43 01 01 00; < 42 02");
    put_in("free");
    pass(1, 1);
    check_said(first, "BEAT overrun 5");
    check_said(first + 1, "NAK 1 43 3");
    check_said(first + 2, "EVENT 6 6=1");
    check_said(first + 1 + EVENT_LOG_SIZE, "EVENT 133 7=1");
    CHECK(strncmp(said[first + 2 + EVENT_LOG_SIZE].text, "SNAPSHOT 2 ", 11) == 0);
    CHECK_EQUAL(said_count, first + 3 + EVENT_LOG_SIZE);

    begin("the oldest event that is kept, and the one before");
    for (i = 0; i < EVENT_LOG_SIZE + 1; i++) {
        levels[0] ^= 1;
        said_count = 0;
        pass(20, 1);
    }
    first = said_count;
    put_in("< 43 01 01 00; < 43 02 02 00");
    pass(1, 1);
    check_said(first, "NAK 1 43 3");
    check_said(first + 1, "EVENT 2 1=0");
    check_said(first + EVENT_LOG_SIZE, "EVENT 129 1=1");
    check_said(first + EVENT_LOG_SIZE + 1, "ACK 2 43");
}

/* Nothing is put off for ever, whatever else there is to be sent. */
static void test_turns(void)
{
    unsigned i, answers = 0, sent = 0;

    begin("every contact changes all the time on a line that is too slow for it");
    put_in("line 11; < 41 01");
    for (i = 0; i < 500; i++) {
        memset(levels, i & 1, PLACES);
        said_count = 0;
        if (i % 25 == 0)
            put_in("< 44 09 0a 0a");
        pass(20, 1);
        for (sent = 0; sent < said_count; sent++)
            answers += strcmp(said[sent].text, "ACK 9 44") == 0;
    }
    CHECK(beats >= 9);
    CHECK_EQUAL(answers, 20);
    CHECK(strncmp(beat, "BEAT overrun 255", 16) == 0);

    begin("a host that asks all the time on a line that is too slow for it");
    put_in("line 11");
    for (i = 0, sent = 0; i < 400; i++) {
        unsigned each;

        levels[0] = i & 1;
        said_count = 0;
        for (each = 0; each < 20; each++) {
            if (bench.given - bench.taken < 100)
                put_in("< 41 01; < 60 02");
            pass(1, 1);
        }
        for (each = 0; each < said_count; each++)
            sent += strncmp(said[each].text, "EVENT", 5) == 0;
    }
    CHECK(sent >= 390);
    CHECK(beats >= 7);
}

static void test_hello(void)
{
    uint8_t hello[28] = {0x01, 0, 0, 0, 0, 0, 0, 0, 1, 1, 0, 7, 0, PLACES, 3, 0, 0, 0, LEVELS, HARDWARE, 0xE8, 3, 10, 10,
                         4, 3, 2, 1};
    uint8_t wire[FRAME_WIRE], length;

    begin("what HELLO says, and that a 00 stands before it");
#ifdef LIGHTS
    hello[15] |= 0x01;
#endif
#ifdef HALL
    hello[15] |= 0x02 | 0x04 | 0x10;
#endif
    hello[17] = PLACES == 32 ? 0x28 : PLACES == 50 ? 0x2A : 0x08;
    length = frame_encode(hello, sizeof hello, wire);
    bench.per_ms = 1;
    protocol_run();
    CHECK_EQUAL(bench.waiting, 1 + length);
    CHECK_EQUAL(bench.line[0], 0);
    CHECK(memcmp(bench.line + 1, wire, length) == 0);
}

static unsigned count_said(const char *text)
{
    unsigned i, count = 0;

    for (i = 0; i < said_count; i++)
        count += strncmp(said[i].text, text, strlen(text)) == 0;
    return count;
}

static void test_restless_start(void)
{
    unsigned ms;

    begin("the board is told after a second, also where some contact is always restless");
    put_in("< 44 01 14 14");
    for (ms = 0; ms < START_MOST + 2; ms++) {
        if (ms % 30 == 0)
            levels[0] ^= 1;
        if (ms % 30 == 15)
            levels[1] ^= 1;
        pass(1, 1);
        if (ms + 1 != START_MOST)
            CHECK_EQUAL(count_said("SNAPSHOT 0"), ms + 1 > START_MOST);
    }
}

static void test_heartbeats(void)
{
    static const uint16_t SUPPLIES[] = {0, 1, 255, 256, 4990, 65535};
    static const uint8_t EVERY[] = {1, 2, 5, 100};
    unsigned i;

    begin("the supply is told, whatever it is");
    for (i = 0; i < sizeof SUPPLIES / sizeof *SUPPLIES; i++) {
        bench.supply = SUPPLIES[i];
        pass(1000, 1);
        CHECK_EQUAL(beats, i + 1);
    }
    begin("the scans of the last second are told");
    for (i = 0; i < sizeof EVERY; i++) {
        pass(1000, EVERY[i]);
        CHECK_EQUAL(beats, i + 1);
        CHECK_EQUAL(beat_scans, 1000 / EVERY[i]);
    }
}

static void test_first_scan(void)
{
    begin("a board that has not scanned yet does not say what stands on it");
    protocol_run();
    check_said(0, "HELLO 0");
    CHECK_EQUAL(said_count, 1);
    pass(1, 1);
    check_said(1, "SNAPSHOT 0");
#ifdef LIGHTS
    CHECK_EQUAL(bench.shown, 1); /* lights that were on before it started are put out */
#endif
}

#ifdef HALL
static void test_raw(void)
{
    char second[16], rest[16];
    unsigned rate;

    snprintf(second, sizeof second, "RAW %u x", 52 + 1);
    snprintf(rest, sizeof rest, "RAW 1 x%u", PLACES < 52 ? PLACES : 52);
    for (rate = 1; rate <= 50; rate = rate * 2 + 1) {
        begin("readings are told so often as they are asked for");
        pass(10, 1);
        bench.given = bench.taken = 0;
        {
            uint8_t ask[3] = {0x46, 9, 0};

            ask[2] = (uint8_t)rate;
            bench_command(ask, 3);
        }
        pass(2000, 1);
        CHECK(count_said("RAW 1 ") >= 2 * rate && count_said("RAW 1 ") <= 2 * rate + 2 + rate / 10);
        CHECK_EQUAL(count_said(rest), count_said("RAW 1 "));
        CHECK_EQUAL(count_said(second), PLACES > 52 ? count_said("RAW 1 ") : 0);
        put_in("< 46 0a 00");
        pass(2, 1);
        said_count = 0;
        pass(2000, 1);
        CHECK_EQUAL(said_count, 0);
    }
    begin("readings are asked for more often than the line can bear");
    put_in("line 11; < 46 09 ff");
    for (rate = 0; rate < 100; rate++) {
        levels[0] ^= 1;
        said_count = 0;
        pass(20, 1);
        CHECK_EQUAL(count_said("EVENT"), 1);
    }
    CHECK(beats >= 1);
    said_count = 0;
    pass(100, 1);
    if (PLACES > 52)
        CHECK(count_said(second) >= 5);
    put_in("< 46 0a 00");
    pass(100, 1);
    said_count = 0;
    pass(500, 1);
    CHECK_EQUAL(said_count, 0);
}

static void test_raw_changes(void)
{
    begin("no readings come behind the answer that ends them");
    pass(10, 1);
    put_in("line 1; < 46 09 32");
    pass(500, 1);
    put_in("< 46 0a 00");
    pass(300, 1);
    CHECK(count_said("RAW") > 3);
    CHECK_EQUAL(strncmp(said[said_count - 1].text, "ACK 10 46", 9), 0);

    begin("another rate holds at once");
    put_in("< 46 09 01");
    pass(10, 1);
    put_in("< 46 09 32");
    pass(500, 1);
    CHECK(count_said("RAW 1 ") >= 20);

    begin("readings that the line held up are not made up for");
    pass(10, 1);
    put_in("line 11; < 46 09 0a");
    pass(500, 1);
    bench.stuck = true;
    pass(2000, 1);
    bench.stuck = false;
    said_count = 0;
    pass(1000, 1);
    CHECK(count_said("RAW 1 ") >= 9 && count_said("RAW 1 ") <= 12);

    begin("readings end by themselves, unless they are asked for again");
    pass(10, 1);
    put_in("< 46 09 02");
    pass(RAW_FOR / 2, 100);
    said_count = 0;
    put_in("< 46 09 02");
    pass(RAW_FOR - 1000, 100);
    said_count = 0;
    pass(900, 100);
    CHECK(count_said("RAW 1 ") >= 1);
    pass(1000, 100);
    said_count = 0;
    pass(5000, 100);
    CHECK_EQUAL(said_count, 0);

    begin("zero follows drift, but not while somebody calibrates");
    drift = 1;
    put_in("< 46 09 01");
    pass(PLACES * HALL_TRACK_FOR + 10000u, 10);
    CHECK_EQUAL(board.hall.table.squares[0].zero, HALL_ZERO);
    put_in("< 46 09 00");
    pass(PLACES * HALL_TRACK_FOR + 10000u, 10);
    CHECK_EQUAL(board.hall.table.squares[0].zero, HALL_ZERO + 1);
    drift = 0;
}

static void test_last_places(void)
{
    uint8_t read[4] = {0x47, 1, 0, PLACES}, write[10] = {0x47, 2, 1, PLACES, 120, 9, 30, 121, 10, 31};

    begin("the table of calibration ends with the last place");
    pass(10, 1);
    said_count = 0;
    bench_command(write, sizeof write);
    bench_command(write, sizeof write - 3);
    bench_command(read, sizeof read);
    read[3]++;
    bench_command(read, sizeof read);
    read[3] -= 17;
    bench_command(read, sizeof read);
    pass(1, 1);
    CHECK_EQUAL(said_count, 5);
    check_said(0, "NAK 2 47 4");
    check_said(1, "ACK 2 47");
    CHECK(strstr(said[2].text, " x1 flags 0 first 120/9/30 last 120/9/30") != NULL);
    check_said(3, "NAK 1 47 4");
    CHECK(strstr(said[4].text, " x17 flags 0 first 128/8/36 last 120/9/30") != NULL);
}

static void test_keeping(void)
{
    uint8_t keep[6] = {0x47, 9, 2, 1, 0, 0};
    uint16_t crc = FRAME_CRC_START;
    uint8_t place;

    begin("the table is kept: the answer comes when it is, and no other before");
    pass(10, 1);
    put_in("< 47 01 01 01 64 10 28");
    pass(1, 1);
    crc = frame_crc(crc, 1);
    for (place = 0; place < PLACES; place++) {
        crc = frame_crc(crc, place ? HALL_ZERO : 100);
        crc = frame_crc(crc, place ? HALL_MAN : 16);
        crc = frame_crc(crc, place ? KING : 40);
    }
    keep[4] = (uint8_t)crc;
    keep[5] = (uint8_t)(crc >> 8);
    bench.slow_eeprom = 3;
    said_count = 0;
    bench_command(keep, sizeof keep);
    put_in("< 41 0a");
    levels[3] = 2;
    pass(4 * HALL_KEPT_SIZE - 10, 1);
    CHECK_EQUAL(count_said("EVENT 1 1=1"), 1); /* its zero is lower now, and white is above it */
    CHECK_EQUAL(count_said("ACK"), 0);
    CHECK_EQUAL(count_said("HELLO"), 0);
    pass(20, 1);
    CHECK_EQUAL(bench.written, HALL_KEPT_SIZE);
    CHECK_EQUAL(count_said("ACK 9 47"), 1);
    CHECK_EQUAL(count_said("HELLO 10"), 1);
    CHECK(!board.hall.factory);
    CHECK_EQUAL(bench.eeprom[0], 1);
    CHECK_EQUAL(bench.eeprom[1], 100);
    CHECK_EQUAL(bench.eeprom[3 * PLACES], KING);
    CHECK_EQUAL(u16(&bench.eeprom[HALL_TABLE_SIZE]), crc);
}
#endif

void test_protocol(void)
{
    unsigned table, pace;

    for (table = 0; table < sizeof TABLES / sizeof *TABLES; table++)
        for (pace = 0; pace < PACES; pace++)
            if (!PACE[pace].jumping || TABLES[table].slack == 0)
                run(&TABLES[table], &PACE[pace]);
    test_hello();
    test_first_scan();
    test_restless_start();
    test_heartbeats();
    test_wraps();
    test_overrun();
    test_turns();
#ifdef HALL
    test_raw();
    test_raw_changes();
    test_last_places();
    test_keeping();
#endif
}
