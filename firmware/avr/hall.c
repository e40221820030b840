/* The Hall sensors: place p (from 0) is channel p % 16 of multiplexer p / 16.
 *
 * The select lines of the 74HC4067s are PB0 to PB3, together; their commons are ADC0 to ADC3. Buttons are PD2, PD3, PD4
 * to ground. Readings have eight bits, against the supply, of which the sensors' outputs are a part as well: what the
 * supply does cancels out. */
#include <avr/io.h>
#include <util/delay.h>

#include "../core/port.h"
#include "../core/protocol.h"
#include "adc.h"
#include "sensors.h"
#include "supply.h"

#define RX 0x01
#define FIRST_PIN PD2
#define SELECT 0x0F
#define CHANNELS 16
#define SETTLE_US 5 /* about 70 ohm and the sensors' own outputs: a microsecond would do */

static void select(uint8_t channel)
{
    PORTB = (uint8_t)((PORTB & ~SELECT) | channel);
    _delay_us(SETTLE_US);
}

void sensors_start(void)
{
    PORTD = RX | 7 << FIRST_PIN;
    DDRB |= SELECT;
    DIDR0 = 0x0F;
    adc_start(ADC_SUPPLY);
}

void sensors_scan(void)
{
    uint8_t channel, place, button, open;
    uint8_t read = PLACES, reading = 0; /* the place that was converted last, not yet worked out */

    supply_measure();
    for (channel = 0; channel < CHANNELS; channel++) {
        select(channel);
        for (place = channel; place < PLACES; place += CHANNELS) {
            adc_convert(place / CHANNELS);
            if (read < PLACES)
                protocol_read(read, reading);
            read = place;
            reading = adc_byte();
        }
    }
    protocol_read(read, reading);
    open = PIND >> FIRST_PIN;
    for (button = 0; button < BUTTONS; button++, open >>= 1)
        protocol_read(PLACES + button, !(open & 1));
}

uint8_t port_reading(uint8_t place)
{
    select(place % CHANNELS);
    adc_convert(place / CHANNELS);
    return adc_byte();
}
