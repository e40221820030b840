/* A light a place: for setting up and for what is to be put right, never during play.
 *
 * Dark is what the board does by itself: it starts dark, a press of the clock's lever makes it dark, and lights that
 * the host does not set again go out after LIGHTS_FOR. What all lights draw together is capped, whatever the host
 * asks: many lights are dimmer than few. */
#ifndef DAMAS_LIGHTS_H
#define DAMAS_LIGHTS_H

#include <stdbool.h>
#include <stdint.h>

#include "geometry.h"

#define LIGHTS_FOR 60000        /* ms */
#define LIGHTS_COLOURS 6        /* off, white, red, green, blue, yellow */
#ifndef LIGHTS_MILLIAMPS
#define LIGHTS_MILLIAMPS 150    /* all together; the lights' own chips not counted (about 0.6 mA each) */
#endif
#define LIGHTS_BRIGHT 64        /* of 255: one channel of a few lights */
#define LIGHTS_CHANNEL_MICROAMPS 78 /* one channel at 1 of 255, for 20 mA at 255 */
#if LIGHTS_MILLIAMPS * 1000L < 3L * PLACES * LIGHTS_CHANNEL_MICROAMPS
#error "so little current is not enough for all lights at their darkest"
#endif

struct lights {
    uint8_t colours[(PLACES + 1) / 2]; /* four bits a place */
    uint16_t left;                     /* ms until they go out */
    uint8_t bright;                    /* of one channel, as the cap allows */
};

void lights_start(struct lights *lights);

/* The places of `mask` (place 1 is bit 0 of its first byte) take `colour`. False, and nothing is changed, for a colour
 * or a place that is not there. */
bool lights_set(struct lights *lights, uint8_t colour, const uint8_t *mask, uint8_t length);

/* All dark. Whether any light was on. */
bool lights_dark(struct lights *lights);

/* Time passed. Whether the lights went out by it. */
bool lights_elapsed(struct lights *lights, uint8_t ms);

/* Red, green and blue (0 to 255) of a place (from 0). */
void lights_rgb(const struct lights *lights, uint8_t place, uint8_t rgb[3]);

#endif
