/* The matrix: one row at a time is driven low, and its closed contacts pull their columns low.
 *
 * Rows:    PD2 PD3 PD4 PD5 PD6 PD7 PB0 PB1 PB2 PB3 PB4   as many as there are lines, then the buttons' row
 * Columns: PC0 PC1 PC2 PC3 PC4 PC5 PB4 PB3               as many as a line has sensed squares
 *
 * So 32 squares take 13 pins, 50 take 16, 64 take 17. A row that is not driven is an input without pull-up: two rows
 * never work against each other, whatever contacts are closed. */
#include <avr/io.h>
#include <util/delay.h>

#include "../core/protocol.h"
#include "adc.h"
#include "sensors.h"
#include "supply.h"

/* A driven row is low at once. A column that was low rises by its pull-up alone (20 to 50 kilohm, some 100 pF): while
 * the keys of the row before are worked out, and for this long. */
#define SETTLE_US 5

#define RX 0x01     /* PD0: a pull-up against rubbish while nothing is plugged in */
#define COLUMNS_C 0x3F
#if PER_LINE > 6
#define COLUMNS_B 0x18
#define READ_COLUMNS() (uint8_t)((PINC & COLUMNS_C) | (PINB & 0x10) << 2 | (PINB & 0x08) << 4)
#else
#define COLUMNS_B 0
#define READ_COLUMNS() PINC
#endif

/* Rows as bits: D in the low byte, B in the high one. */
#define FIRST_ROW (1u << PD2)
#define ROWS (((1u << (LINES + 1)) - 1) << PD2)

static void drive(uint16_t rows)
{
    DDRD = (uint8_t)((DDRD & ~ROWS) | rows);
    DDRB = (uint8_t)((DDRB & ~(ROWS >> 8)) | rows >> 8);
}

void sensors_start(void)
{
    PORTD = RX;
    PORTC = COLUMNS_C;
    PORTB = COLUMNS_B;
    adc_start(ADC_SUPPLY);
}

void sensors_scan(void)
{
    uint16_t row = FIRST_ROW;
    uint8_t line, key = 0;

    supply_measure();
    for (line = 0; line <= LINES; line++, row <<= 1) {
        uint8_t keys = line < LINES ? PER_LINE : BUTTONS;
        uint8_t open;

        drive(row);
        _delay_us(SETTLE_US);
        open = READ_COLUMNS();
        drive(0);
        for (; keys; keys--, open >>= 1)
            protocol_read(key++, !(open & 1));
    }
}
