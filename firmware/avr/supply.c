/* The reference is 1.0 to 1.2 V, another in each chip: the figure tells a supply that sinks, not volts to the tenth.
 *
 * It needs up to 70 us after it is selected, and the converter's own capacitor some more, whatever was converted
 * before. It is measured only where a heartbeat has taken the last figure: a scan a second is so much later. */
#include "supply.h"

#include <stdbool.h>
#include <util/delay.h>

#include "../core/port.h"
#include "adc.h"

#define REFERENCE_MV 1100UL
#define SETTLES_US 150

static uint16_t reading; /* of 1024; 0 before the first */
static bool taken = true;

void supply_measure(void)
{
    if (!taken)
        return;
    adc_wait();
    adc_select(ADC_SUPPLY);
    _delay_us(SETTLES_US);
    adc_convert(ADC_SUPPLY);
    adc_wait();
    reading = ADC >> 6;
    taken = false;
}

uint16_t port_supply(void)
{
    taken = true;
    return reading ? (uint16_t)(REFERENCE_MV * 1024 / reading) : 0;
}
