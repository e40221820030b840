/* What the tests of the core share: checks that say where, and the ways in which time passes. */
#ifndef DAMAS_CHECK_H
#define DAMAS_CHECK_H

#include <stdbool.h>
#include <stdint.h>

/* Failed checks are said and counted; the program goes on. `context` is printed before what was wrong. */
extern char check_context[128];
void check_failed(const char *file, int line, const char *format, ...);

#define CHECK(condition) \
    do { \
        if (!(condition)) \
            check_failed(__FILE__, __LINE__, "%s", #condition); \
    } while (0)
#define CHECK_EQUAL(got, wanted) \
    do { \
        long got_ = (long)(got), wanted_ = (long)(wanted); \
        if (got_ != wanted_) \
            check_failed(__FILE__, __LINE__, "%s is %ld, not %ld", #got, got_, wanted_); \
    } while (0)

#define QUIET_FOR 60000 /* ms behind each table in which nothing more may happen */

/* How time goes on from scan to scan. Times in tables are multiples of 10 ms. */
struct pace {
    const char *name;
    uint8_t every;   /* ms between scans; 0: several scans a millisecond */
    bool ragged;     /* 1 to `every` ms, as it comes */
    bool jumping;    /* straight to the next time that the table names, and to the millisecond before it */
    uint16_t slack;  /* ms: how much later than in the table something may happen */
};

#define PACES 9
extern const struct pace PACE[PACES];

/* The next time to scan at, behind `now`. `named` are the `count` times that the table names, in order. */
uint32_t pace_next(const struct pace *pace, uint32_t now, const uint32_t *named, unsigned count);

void test_frames(const char *golden_directory);
void test_golden(const char *golden_directory);
void test_debounce(void);
void test_event_log(void);
void test_lights(void);
void test_hall(void);
void test_protocol(void);

#endif
