/* A board on the bench: a port whose line, pieces and EEPROM the tests hold, and what a host would hear of it. */
#ifndef DAMAS_BENCH_H
#define DAMAS_BENCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "frame.h"

#define EEPROM_SIZE 256

struct heard {
    uint8_t payload[FRAME_PAYLOAD];
    uint8_t length;
};

struct bench {
    uint8_t line[FRAME_WIRE];  /* what the transmitter has not sent yet */
    uint8_t waiting;
    uint8_t per_ms;            /* bytes that the line takes a millisecond; 0: all, and at once */
    bool stuck;                /* it takes none */
    uint8_t to_board[512];
    unsigned given, taken;     /* of to_board */
    uint8_t readings[64];      /* of Hall sensors */
    uint8_t eeprom[EEPROM_SIZE];
    unsigned slow_eeprom;      /* a byte is written only when it was asked so many times */
    unsigned asked;
    unsigned written;          /* bytes of the EEPROM */
    unsigned shown;            /* how often the lights were */
    uint16_t supply;
    void (*hear)(const struct heard *frame);
    struct frame_reader host;
};

extern struct bench bench;

/* A new bench with an empty EEPROM; every frame that leaves the line goes to `hear`. */
void bench_start(void (*hear)(const struct heard *frame));

/* The line goes on for so many milliseconds. */
void bench_elapsed(uint8_t ms);

/* Bytes to the board, as they are, or a payload framed. */
void bench_give(const uint8_t *bytes, size_t count);
void bench_command(const uint8_t *payload, uint8_t length);

#endif
