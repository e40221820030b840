#include "lights.h"

#include <string.h>

/* Bit 0 red, 1 green, 2 blue. */
static const uint8_t CHANNELS[LIGHTS_COLOURS] = {0, 7, 1, 2, 4, 3};

static uint8_t colour_of(const struct lights *lights, uint8_t place)
{
    return lights->colours[place >> 1] >> (place & 1 ? 4 : 0) & 0x0F;
}

static uint8_t channels_lit(uint8_t channels)
{
    return (uint8_t)((channels & 1) + (channels >> 1 & 1) + (channels >> 2 & 1));
}

/* So bright that all channels together stay under the cap. */
static uint8_t brightness(const struct lights *lights)
{
    uint16_t lit = 0;
    uint32_t most;
    uint8_t place;

    for (place = 0; place < PLACES; place++)
        lit = (uint16_t)(lit + channels_lit(CHANNELS[colour_of(lights, place)]));
    if (lit == 0)
        return 0;
    most = LIGHTS_MILLIAMPS * 1000UL / LIGHTS_CHANNEL_MICROAMPS / lit;
    return (uint8_t)(most < LIGHTS_BRIGHT ? most : LIGHTS_BRIGHT);
}

void lights_start(struct lights *lights)
{
    memset(lights, 0, sizeof *lights);
}

bool lights_set(struct lights *lights, uint8_t colour, const uint8_t *mask, uint8_t length)
{
    uint8_t i, place;

    if (colour >= LIGHTS_COLOURS)
        return false;
    for (i = 0; i < length; i++) {
        uint8_t there = i < PLACES / 8 ? 0xFF : i == PLACES / 8 ? (uint8_t)((1u << PLACES % 8) - 1) : 0;

        if (mask[i] & ~there)
            return false;
    }
    for (place = 0; place < PLACES && place >> 3 < length; place++) {
        uint8_t shift = place & 1 ? 4 : 0;

        if (mask[place >> 3] >> (place & 7) & 1)
            lights->colours[place >> 1] =
                (uint8_t)((lights->colours[place >> 1] & ~(0x0F << shift)) | colour << shift);
    }
    lights->bright = brightness(lights);
    lights->left = LIGHTS_FOR;
    return true;
}

bool lights_dark(struct lights *lights)
{
    bool lit = lights->bright != 0;

    lights_start(lights);
    return lit;
}

bool lights_elapsed(struct lights *lights, uint8_t ms)
{
    if (lights->left == 0)
        return false;
    if (lights->left > ms) {
        lights->left = (uint16_t)(lights->left - ms);
        return false;
    }
    return lights_dark(lights);
}

void lights_rgb(const struct lights *lights, uint8_t place, uint8_t rgb[3])
{
    uint8_t channels = CHANNELS[colour_of(lights, place)];
    uint8_t i;

    for (i = 0; i < 3; i++)
        rgb[i] = channels >> i & 1 ? lights->bright : 0;
}
