/* Lights: colours, the cap on what they draw, and when they go out. */
#include "check.h"

#ifndef LIGHTS
void test_lights(void)
{
}
#else
#include <stdio.h>
#include <string.h>

#include "lights.h"

static struct lights lights;

static uint32_t microamps(void)
{
    uint32_t sum = 0;
    uint8_t place, rgb[3];

    for (place = 0; place < PLACES; place++) {
        lights_rgb(&lights, place, rgb);
        sum += (uint32_t)(rgb[0] + rgb[1] + rgb[2]) * LIGHTS_CHANNEL_MICROAMPS;
    }
    return sum;
}

static void set(uint8_t colour, uint8_t first, uint8_t last)
{
    uint8_t mask[(PLACES + 7) / 8] = {0};
    uint8_t place;

    for (place = first; place <= last; place++)
        mask[(place - 1) / 8] |= (uint8_t)(1u << (place - 1) % 8);
    CHECK(lights_set(&lights, colour, mask, sizeof mask));
}

static void check_rgb(uint8_t place, unsigned red, unsigned green, unsigned blue)
{
    uint8_t rgb[3];

    lights_rgb(&lights, (uint8_t)(place - 1), rgb);
    CHECK_EQUAL(rgb[0], red);
    CHECK_EQUAL(rgb[1], green);
    CHECK_EQUAL(rgb[2], blue);
}

static void test_colours(void)
{
    uint8_t place;

    lights_start(&lights);
    for (place = 1; place <= PLACES; place++)
        check_rgb(place, 0, 0, 0);
    set(1, 1, 1);
    set(2, 2, 2);
    set(3, 3, 3);
    set(4, 4, 4);
    set(5, PLACES, PLACES);
    check_rgb(1, LIGHTS_BRIGHT, LIGHTS_BRIGHT, LIGHTS_BRIGHT);
    check_rgb(2, LIGHTS_BRIGHT, 0, 0);
    check_rgb(3, 0, LIGHTS_BRIGHT, 0);
    check_rgb(4, 0, 0, LIGHTS_BRIGHT);
    check_rgb(5, 0, 0, 0);
    check_rgb(PLACES, LIGHTS_BRIGHT, LIGHTS_BRIGHT, 0);
    set(4, 1, 2);
    set(0, 3, 3);
    check_rgb(1, 0, 0, LIGHTS_BRIGHT);
    check_rgb(2, 0, 0, LIGHTS_BRIGHT);
    check_rgb(3, 0, 0, 0);
    check_rgb(4, 0, 0, LIGHTS_BRIGHT);
}

static void test_refused(void)
{
    uint8_t mask[14] = {0};

    lights_start(&lights);
    set(2, 1, PLACES);
    CHECK(!lights_set(&lights, LIGHTS_COLOURS, mask, 1));
    CHECK(!lights_set(&lights, 255, mask, 0));
    mask[0] = 1;
    mask[PLACES / 8] = (uint8_t)(1u << PLACES % 8);
    CHECK(!lights_set(&lights, 3, mask, PLACES / 8 + 1));
    CHECK(lights_set(&lights, 3, mask, PLACES / 8));
    mask[PLACES / 8] = 0;
    mask[13] = 0x80;
    CHECK(!lights_set(&lights, 3, mask, 14));
    mask[13] = 0;
    CHECK(lights_set(&lights, 4, mask, 14));
    check_rgb(1, 0, 0, lights.bright);
    check_rgb(2, lights.bright, 0, 0);
}

static void test_cap(void)
{
    uint8_t last, colour;

    for (colour = 1; colour < LIGHTS_COLOURS; colour++)
        for (last = 1; last <= PLACES; last++) {
            lights_start(&lights);
            set(colour, 1, last);
            CHECK(microamps() <= LIGHTS_MILLIAMPS * 1000UL);
            CHECK(lights.bright > 0);
            CHECK(lights.bright == LIGHTS_BRIGHT || microamps() > LIGHTS_MILLIAMPS * 1000UL * 3 / 4);
        }
    lights_start(&lights);
    set(1, 1, PLACES);
    CHECK(lights.bright < LIGHTS_BRIGHT);
    set(0, 2, PLACES);
    CHECK_EQUAL(lights.bright, LIGHTS_BRIGHT);
}

static void test_going_out(void)
{
    uint32_t ms;
    uint8_t step;

    for (step = 1; step < 100; step = (uint8_t)(step * 3 + 1)) {
        lights_start(&lights);
        CHECK(!lights_elapsed(&lights, 255));
        set(1, 7, 7);
        for (ms = step; ms < LIGHTS_FOR; ms += step)
            CHECK(!lights_elapsed(&lights, step));
        check_rgb(7, LIGHTS_BRIGHT, LIGHTS_BRIGHT, LIGHTS_BRIGHT);
        CHECK(lights_elapsed(&lights, step));
        check_rgb(7, 0, 0, 0);
        CHECK(!lights_elapsed(&lights, step));
    }
    set(1, 7, 7);
    for (ms = 100; ms < LIGHTS_FOR; ms += 100)
        CHECK(!lights_elapsed(&lights, 100));
    set(2, 1, 1);
    for (ms = 100; ms < LIGHTS_FOR; ms += 100)
        CHECK(!lights_elapsed(&lights, 100));
    CHECK(lights_dark(&lights));
    CHECK(!lights_dark(&lights));
    check_rgb(1, 0, 0, 0);
}

void test_lights(void)
{
    snprintf(check_context, sizeof check_context, "lights of %d places", PLACES);
    test_colours();
    test_refused();
    test_cap();
    test_going_out();
}
#endif
