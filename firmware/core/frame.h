/* Frames on the wire: COBS(payload | CRC) 00 (PROTOCOL.md section 1). */
#ifndef DAMAS_FRAME_H
#define DAMAS_FRAME_H

#include <stdbool.h>
#include <stdint.h>

#define FRAME_PAYLOAD 60                    /* the longest payload */
#define FRAME_ENCODED (FRAME_PAYLOAD + 3)   /* with the CRC and the byte that COBS adds, without the 00 */
#define FRAME_WIRE (FRAME_ENCODED + 1)
#define FRAME_ADDS 4                        /* bytes that a frame is longer than its payload */

/* CRC-16/IBM-3740, goes on from `crc`; the first one is FRAME_CRC_START. */
#define FRAME_CRC_START 0xFFFF
uint16_t frame_crc(uint16_t crc, uint8_t byte);

/* The frame of a payload of 1 to FRAME_PAYLOAD bytes into `wire` (FRAME_WIRE bytes); its length with the 00. */
uint8_t frame_encode(const uint8_t *payload, uint8_t length, uint8_t *wire);

struct frame_reader {
    uint8_t data[FRAME_ENCODED];
    uint8_t length;   /* of what is in data */
    bool overlong;    /* too long to be a frame: thrown away up to the next 00 */
    uint8_t bad;      /* frames that were broken; stays at 255 */
};

void frame_start(struct frame_reader *reader);

/* One byte from the wire. The length of the payload that is now in `reader->data`, or 0. A broken frame is counted. */
uint8_t frame_read(struct frame_reader *reader, uint8_t byte);

#endif
