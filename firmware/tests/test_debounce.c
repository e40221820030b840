/* Tables of the debounce: time | what keys read from then on | what is reported then. */
#include <stdio.h>
#include <string.h>

#include "check.h"
#include "debounce.h"

#define ROWS 48
#define TOLD 64
#define LAST (KEYS - 1)
#define WATCHED 9 /* keys: the first ones, and the last */

/* Input: "KEY=READING", or "KEY/DOWN/UP" for other times; output: "KEY=LEVEL", "KEY?" unstable, "KEY!" not any more.
 * Several stand with a blank between. The last key is 99. */
struct row {
    uint32_t at;
    const char *input, *output;
};

struct table {
    const char *name;
    uint8_t down, up;
    bool fine; /* times that only scans of each millisecond can see */
    struct row rows[ROWS];
};

struct told {
    uint32_t at;
    char text[16];
};

static const struct table TABLES[] = {
    {"a piece that comes and goes", 10, 10, false, {
        {0, "0=1", ""},
        {10, "", "0=1"},
        {500, "0=0", ""},
        {510, "", "0=0"}}},
    {"changes one behind the other are all told", 10, 10, false, {
        {0, "0=1", ""},
        {10, "", "0=1"},
        {20, "0=0", ""},
        {30, "", "0=0"},
        {40, "0=1", ""},
        {50, "", "0=1"}}},
    {"a blip is nothing", 20, 20, false, {
        {100, "0=1", ""},
        {110, "0=0", ""},
        {500, "1=1", ""},
        {520, "", "1=1"},
        {600, "1=0", ""},
        {610, "1=1", ""}}},
    {"the longest blip that is none, and the shortest touch that is one", 10, 10, true, {
        {100, "0=1", ""},
        {110, "0=0", ""},
        {200, "0=1", ""},
        {210, "", "0=1"},
        {211, "0=0", ""},
        {221, "", "0=0"}}},
    {"bouncing delays the report until it is still", 20, 20, false, {
        {0, "0=1", ""},
        {10, "0=0", ""},
        {20, "0=1", ""},
        {30, "0=0", ""},
        {40, "0=1", ""},
        {60, "", "0=1"},
        {100, "0=0", ""},
        {110, "0=1", ""},
        {120, "0=0", ""},
        {140, "", "0=0"}}},
    {"nine changes of a millisecond are one", 10, 10, true, {
        {1, "0=1", ""}, {2, "0=0", ""}, {3, "0=1", ""}, {4, "0=0", ""}, {5, "0=1", ""}, {6, "0=0", ""}, {7, "0=1", ""},
        {8, "0=0", ""}, {9, "0=1", ""},
        {19, "", "0=1"}}},
    {"eight changes of a millisecond that end as they began are nothing", 10, 10, true, {
        {1, "0=1", ""}, {2, "0=0", ""}, {3, "0=1", ""}, {4, "0=0", ""}, {5, "0=1", ""}, {6, "0=0", ""}, {7, "0=1", ""},
        {8, "0=0", ""}}},
    {"coming is quick and going is slow", 10, 50, false, {
        {0, "0=1", ""},
        {10, "", "0=1"},
        {100, "0=0", ""},
        {140, "0=1", ""},
        {200, "0=0", ""},
        {250, "", "0=0"}}},
    {"coming is slow and going is quick", 50, 10, false, {
        {0, "0=1", ""},
        {40, "0=0", ""},
        {100, "0=1", ""},
        {150, "", "0=1"},
        {200, "0=0", ""},
        {210, "", "0=0"}}},
    {"each key has its own time", 20, 20, false, {
        {0, "0=1 1=1 99=1", ""},
        {10, "1=0 2=1", ""},
        {20, "", "0=1 99=1"},
        {30, "3=1", "2=1"},
        {40, "3=0 4=1", ""},
        {60, "", "4=1"}}},
    {"one key that bounces delays no other", 20, 20, false, {
        {0, "0=1 1=1", ""}, {10, "0=0", ""}, {20, "0=1", "1=1"}, {30, "0=0", ""}, {40, "0=1 1=0", ""}, {50, "0=0", ""},
        {60, "0=1", "1=0"},
        {80, "", "0=1"}}},
    {"a key that is never still is unstable after 200 ms, and believed when it is still", 20, 20, false, {
        {0, "1=1", ""}, {10, "1=0", ""}, {20, "1=1", ""}, {30, "1=0", ""}, {40, "1=1", ""}, {50, "1=0", ""},
        {60, "1=1", ""}, {70, "1=0", ""}, {80, "1=1", ""}, {90, "1=0", ""}, {100, "1=1", ""}, {110, "1=0", ""},
        {120, "1=1", ""}, {130, "1=0", ""}, {140, "1=1", ""}, {150, "1=0", ""}, {160, "1=1", ""}, {170, "1=0", ""},
        {180, "1=1", ""}, {190, "1=0", ""}, {200, "1=1", "1?"}, {210, "1=0", ""}, {220, "1=1", ""}, {230, "1=0", ""},
        {240, "1=1", ""}, {250, "1=0", ""}, {260, "1=1", ""}, {270, "1=0", ""}, {280, "1=1", ""}, {290, "1=0", ""},
        {300, "1=1", ""},
        {320, "", "1=1 1!"}}},
    {"one that was unstable and is as it was tells nothing but that it is still", 20, 20, false, {
        {0, "7=1", ""}, {10, "7=0", ""}, {20, "7=1", ""}, {30, "7=0", ""}, {40, "7=1", ""}, {50, "7=0", ""},
        {60, "7=1", ""}, {70, "7=0", ""}, {80, "7=1", ""}, {90, "7=0", ""}, {100, "7=1", ""}, {110, "7=0", ""},
        {120, "7=1", ""}, {130, "7=0", ""}, {140, "7=1", ""}, {150, "7=0", ""}, {160, "7=1", ""}, {170, "7=0", ""},
        {180, "7=1", ""}, {190, "7=0", ""}, {200, "7=1", "7?"}, {210, "7=0", ""},
        {230, "", "7!"}}},
    {"still just in time is not unstable", 100, 100, false, {
        {0, "0=1", ""}, {40, "0=0", ""}, {80, "0=1", ""},
        {180, "", "0=1"},
        {1000, "0=0", ""}, {1050, "0=1", ""}, {1150, "0=0", ""},
        {1200, "", "0?"},
        {1250, "", "0=0 0!"}}},
    {"a change after a long silence is not unstable", 20, 20, false, {
        {0, "0=1", ""},
        {20, "", "0=1"},
        {5000, "0=0", ""},
        {5010, "0=1", ""},
        {5020, "0=0", ""},
        {5040, "", "0=0"}}},
    {"other times at once hold for what is going on", 20, 20, false, {
        {0, "0=1 1=1", ""},
        {20, "", "0=1 1=1"},
        {100, "0=0 0/20/50", ""},
        {150, "", "0=0"},
        {200, "0=1", ""},
        {210, "0/10/50", "0=1"},
        {300, "1=0", ""},
        {310, "0/20/10", "1=0"}}},
#ifdef HALL
    {"a piece of each kind", 10, 10, false, {
        {0, "0=1 1=2 2=3 3=4", ""},
        {10, "", "0=1 1=2 2=3 3=4"},
        {50, "0=0 1=0 2=0 3=0", ""},
        {60, "", "0=0 1=0 2=0 3=0"}}},
    {"another kind is believed after 250 ms", 10, 10, false, {
        {0, "0=1 1=3", ""},
        {10, "", "0=1 1=3"},
        {100, "0=3 1=1", ""},
        {350, "", "0=3 1=1"}}},
    {"a king that is lifted slowly is no man on its way", 10, 10, false, {
        {0, "0=3", ""},
        {10, "", "0=3"},
        {100, "0=1", ""},
        {340, "0=0", ""},
        {350, "", "0=0"}}},
    {"a kind that does not last is nothing, and makes nothing unstable", 10, 10, false, {
        {0, "0=1", ""},
        {10, "", "0=1"},
        {100, "0=3", ""}, {200, "0=1", ""}, {300, "0=3", ""}, {310, "0=1", ""}, {320, "0=3", ""}, {330, "0=1", ""},
        {340, "0=3", ""}, {350, "0=1", ""}, {400, "0=3", ""}, {500, "0=4", ""}, {600, "0=3", ""}, {840, "0=1", ""}}},
    {"a piece may be read as this and that while it comes", 20, 20, false, {
        {0, "0=1", ""},
        {10, "0=3", ""},
        {20, "0=1", "0=1"},
        {100, "0=2", ""},
        {350, "", "0=2"}}},
    {"a gap begins the kind's time anew", 20, 20, false, {
        {0, "0=1", ""},
        {20, "", "0=1"},
        {100, "0=2", ""},
        {300, "0=0", ""},
        {310, "0=2", ""},
        {330, "", ""},
        {580, "", "0=2"}}},
    {"one piece that is taken for another in less than 250 ms is told as gone and come", 10, 10, false, {
        {0, "0=2", ""},
        {10, "", "0=2"},
        {100, "0=0", ""},
        {110, "", "0=0"},
        {120, "0=1", ""},
        {130, "", "0=1"}}},
#endif
};

static struct told told[TOLD];
static unsigned told_count;

static void tell(uint32_t at, uint8_t key, const char *what)
{
    if (told_count == TOLD) {
        check_failed(__FILE__, __LINE__, "more was told than there is room for");
        return;
    }
    told[told_count].at = at;
    snprintf(told[told_count].text, sizeof told->text, "%d%s", key == LAST ? 99 : key, what);
    told_count++;
}

static uint8_t key_at(uint8_t index)
{
    return index == WATCHED - 1 ? LAST : index;
}

static bool is_unstable(const struct debounce *contacts, uint8_t key)
{
    return contacts->unstable[key / 8] >> key % 8 & 1;
}

static void scan(struct debounce *contacts, const uint8_t *readings, uint32_t at, uint8_t elapsed)
{
    uint8_t index;

    for (index = 0; index < WATCHED; index++) {
        uint8_t key = key_at(index);
        uint8_t before = debounce_level(contacts, key);
        bool restless = is_unstable(contacts, key);
        bool changed = debounce_read(contacts, key, readings[index], elapsed);
        char text[8];

        if (changed != (debounce_level(contacts, key) != before))
            check_failed(__FILE__, __LINE__, "key %d at %lu: it returned %d", key, (unsigned long)at, changed);
        if (changed) {
            snprintf(text, sizeof text, "=%d", debounce_level(contacts, key));
            tell(at, key, text);
        }
        if (restless != is_unstable(contacts, key))
            tell(at, key, restless ? "!" : "?");
    }
}

static void put_in(struct debounce *contacts, uint8_t *readings, const char *input)
{
    unsigned key, reading, up;
    int read = 0;

    for (; *input; input += read) {
        if (sscanf(input, " %u/%u/%u%n", &key, &reading, &up, &read) == 3)
            CHECK(debounce_set(contacts, (uint8_t)reading, (uint8_t)up));
        else if (sscanf(input, " %u=%u%n", &key, &reading, &read) == 2)
            readings[key == 99 ? WATCHED - 1 : key] = (uint8_t)reading;
        else
            check_failed(__FILE__, __LINE__, "what is '%s'?", input);
    }
}

static void compare(const struct table *table, const struct pace *pace)
{
    unsigned next = 0, row;

    for (row = 0; row < ROWS && table->rows[row].input != NULL; row++) {
        const char *output = table->rows[row].output;
        char wanted[16];
        int read = 0;

        for (; sscanf(output, " %15s%n", wanted, &read) == 1; output += read, next++) {
            uint32_t at = table->rows[row].at;

            if (next >= told_count)
                check_failed(__FILE__, __LINE__, "%s was not told at %lu", wanted, (unsigned long)at);
            else if (strcmp(told[next].text, wanted) != 0 || told[next].at < at || told[next].at > at + pace->slack)
                check_failed(__FILE__, __LINE__, "%s at %lu was told, not %s at %lu", told[next].text,
                             (unsigned long)told[next].at, wanted, (unsigned long)at);
        }
    }
    for (; next < told_count; next++)
        check_failed(__FILE__, __LINE__, "%s at %lu is too much", told[next].text, (unsigned long)told[next].at);
}

static void run(const struct table *table, const struct pace *pace)
{
    struct debounce contacts;
    uint8_t readings[WATCHED] = {0};
    uint32_t named[ROWS], now = 0, before = 0, end;
    unsigned row = 0, names = 0;

    snprintf(check_context, sizeof check_context, "debounce of %d places, %s, %s", PLACES, table->name, pace->name);
    while (names < ROWS && table->rows[names].input != NULL) {
        named[names] = table->rows[names].at;
        names++;
    }
    end = named[names - 1] + QUIET_FOR;
    told_count = 0;
    debounce_start(&contacts, table->down, table->up);
    while (now < end) {
        int more;

        while (row < names && table->rows[row].at <= now)
            put_in(&contacts, readings, table->rows[row++].input);
        scan(&contacts, readings, now, (uint8_t)(now - before));
        for (more = pace->every == 0 && !pace->jumping ? 3 : 0; more > 0; more--)
            scan(&contacts, readings, now, 0);
        before = now;
        now = pace_next(pace, now, named, names);
    }
    compare(table, pace);
}

static void test_refused_times(void)
{
    static const uint8_t REFUSED[][2] = {{0, 10}, {10, 0}, {DEBOUNCE_MOST + 1, 10}, {10, DEBOUNCE_MOST + 1}, {255, 255}};
    struct debounce contacts;
    unsigned i;

    snprintf(check_context, sizeof check_context, "debounce, times that are refused");
    debounce_start(&contacts, 7, 8);
    for (i = 0; i < sizeof REFUSED / sizeof *REFUSED; i++)
        CHECK(!debounce_set(&contacts, REFUSED[i][0], REFUSED[i][1]));
    CHECK_EQUAL(contacts.down, 7);
    CHECK_EQUAL(contacts.up, 8);
    CHECK(debounce_set(&contacts, 1, DEBOUNCE_MOST));
    CHECK(debounce_set(&contacts, DEBOUNCE_MOST, 1));
}

static void test_long_pauses(void)
{
    struct debounce contacts;
    int pause;

    snprintf(check_context, sizeof check_context, "debounce, a scan that comes late");
    for (pause = 1; pause <= 255; pause++) {
        debounce_start(&contacts, DEBOUNCE_MOST, 10);
        CHECK(!debounce_read(&contacts, 3, 1, 0));
        CHECK(!debounce_read(&contacts, 3, 1, DEBOUNCE_MOST - 1));
        CHECK(debounce_read(&contacts, 3, 1, (uint8_t)pause));
    }
}

static void test_settled(void)
{
    struct debounce contacts;
    int ms;

    snprintf(check_context, sizeof check_context, "debounce, whether all is settled");
    debounce_start(&contacts, 10, 10);
    CHECK(debounce_settled(&contacts));
    debounce_read(&contacts, LAST, 1, 0);
    CHECK(!debounce_settled(&contacts));
    debounce_read(&contacts, LAST, 1, 9);
    CHECK(!debounce_settled(&contacts));
    debounce_read(&contacts, LAST, 1, 1);
    CHECK(debounce_settled(&contacts));
    for (ms = 0; ms <= UNSTABLE_AFTER; ms++) {
        CHECK(ms == 0 || !debounce_settled(&contacts));
        debounce_read(&contacts, 3, (uint8_t)((ms + 1) % 2), 1);
    }
    CHECK(debounce_settled(&contacts));
}

void test_debounce(void)
{
    unsigned table, pace;

    for (table = 0; table < sizeof TABLES / sizeof *TABLES; table++)
        for (pace = 0; pace < PACES; pace++)
            if (!TABLES[table].fine || PACE[pace].every < 2)
                run(&TABLES[table], &PACE[pace]);
    test_refused_times();
    test_long_pauses();
    test_settled();
}
