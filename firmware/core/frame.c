#include "frame.h"

uint16_t frame_crc(uint16_t crc, uint8_t byte)
{
    uint8_t bit;

    crc ^= (uint16_t)(byte << 8);
    for (bit = 0; bit < 8; bit++)
        crc = (uint16_t)(crc & 0x8000 ? crc << 1 ^ 0x1021 : crc << 1);
    return crc;
}

uint8_t frame_encode(const uint8_t *payload, uint8_t length, uint8_t *wire)
{
    uint16_t crc = FRAME_CRC_START;
    uint8_t run = 0; /* where the length of the run of bytes that are not zero goes */
    uint8_t end = 1;
    uint8_t i;

    for (i = 0; i < length; i++)
        crc = frame_crc(crc, payload[i]);
    for (i = 0; i < length + 2; i++) {
        uint8_t byte = i < length ? payload[i] : (uint8_t)(i == length ? crc : crc >> 8);

        if (byte) {
            wire[end++] = byte;
        } else {
            wire[run] = (uint8_t)(end - run);
            run = end++;
        }
    }
    wire[run] = (uint8_t)(end - run);
    wire[end++] = 0;
    return end;
}

/* Take the stuffing out, in place; the length of what is left, 0 where a run goes over the end. */
static uint8_t unstuff(uint8_t *data, uint8_t length)
{
    uint8_t from = 0, to = 0;

    while (from < length) {
        uint8_t run = data[from++];

        if (run - 1 > length - from)
            return 0;
        while (--run)
            data[to++] = data[from++];
        if (from < length)
            data[to++] = 0;
    }
    return to;
}

void frame_start(struct frame_reader *reader)
{
    reader->length = 0;
    reader->overlong = false;
    reader->bad = 0;
}

/* Whether the last two bytes are the CRC of those before them. */
static bool sound(const uint8_t *data, uint8_t length)
{
    uint16_t crc = FRAME_CRC_START;
    uint8_t i;

    for (i = 0; i < length - 2; i++)
        crc = frame_crc(crc, data[i]);
    return crc == (uint16_t)(data[length - 2] | data[length - 1] << 8);
}

uint8_t frame_read(struct frame_reader *reader, uint8_t byte)
{
    uint8_t length = reader->length;
    bool overlong = reader->overlong;

    if (byte) {
        if (length == FRAME_ENCODED)
            reader->overlong = true;
        else
            reader->data[reader->length++] = byte;
        return 0;
    }
    reader->length = 0;
    reader->overlong = false;
    if (length == 0)
        return 0;
    if (!overlong) {
        length = unstuff(reader->data, length);
        if (length > 2 && sound(reader->data, length))
            return (uint8_t)(length - 2);
    }
    if (reader->bad < UINT8_MAX)
        reader->bad++;
    return 0;
}
