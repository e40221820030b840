/* The board's half of the wire (PROTOCOL.md): what it says by itself, and its answers.
 *
 * A port calls `protocol_elapsed` once a scan, then `protocol_read` for each key, then `protocol_run`, which it may call
 * more often. Nothing waits: what the transmitter has no room for is sent in a later run. What is to be sent has one
 * order, and nothing shorter slips in before what waits for room, so nothing is put off for ever. While an answer waits,
 * no further byte is taken from the host. */
#ifndef DAMAS_PROTOCOL_H
#define DAMAS_PROTOCOL_H

#include <stdbool.h>
#include <stdint.h>

#include "debounce.h"
#include "event_log.h"
#include "frame.h"
#include "hall.h"
#include "lights.h"

#define PROTOCOL 1
#define FIRMWARE_MAJOR 1
#define FIRMWARE_MINOR 0
#ifndef HARDWARE
#define HARDWARE 0
#endif
#ifndef DEBOUNCE_DOWN
#define DEBOUNCE_DOWN 10
#define DEBOUNCE_UP 10
#endif
#define HEARTBEAT_EVERY 1000 /* ms */
#define START_MOST 1000      /* ms; so long the first snapshot waits for contacts to be still */
#define RAW_FOR 60000        /* ms */

struct answer {
    uint8_t what;    /* a type of frame, or 0: nothing is to be answered */
    uint8_t tag;
    uint8_t command;
    uint8_t code;    /* of a NAK; of CALIBRATION: the first place */
};

struct board {
    struct debounce contacts;
    struct event_log log;
    struct frame_reader reader;
#ifdef LIGHTS
    struct lights lights;
    bool show; /* the lights have changed */
#endif
#ifdef HALL
    struct hall hall;
    uint8_t raw_rate;   /* RAW frames of all places a second */
    uint8_t raw_next;   /* the place of the next reading to be sent; PLACES where all are */
    uint32_t raw_due;   /* ms; when the next ones are */
    uint16_t raw_left;  /* ms until they end */
#endif
    struct answer answer;
    uint32_t uid;
    uint32_t t;         /* ms since the start */
    uint32_t beat_due;  /* ms; when the next heartbeat is */
    uint16_t boot_id;
    uint16_t scans;     /* in this second */
    uint16_t rate;      /* scans in the last second */
    uint8_t elapsed;    /* ms since the scan before this one */
    uint8_t unstable[KEY_BYTES]; /* as the host was told */
    bool beat;          /* a heartbeat is to be sent */
    bool answered;      /* the newest frame was an answer: the next event comes before the next answer */
    enum { TO_GREET, TO_SHOW, STARTED } start; /* HELLO is to be sent; SNAPSHOT; nothing more */
};

extern struct board board;

void protocol_start(uint32_t uid, uint16_t boot_id);
void protocol_elapsed(uint8_t ms);
void protocol_read(uint8_t key, uint8_t reading);
void protocol_run(void);

#endif
