/* The reference is 1.0 to 1.2 V, another in each chip: the figure tells a supply that sinks, not volts to the tenth.
 *
 * It needs some 100 us after it is selected. So it is selected when a scan is over, and measured before the next one,
 * and only where a heartbeat has taken the last figure: the scans lose 26 us a second by it. Where the converter has
 * nothing else to do it stays selected. */
#include "supply.h"

#include <stdbool.h>

#include "../core/port.h"
#include "adc.h"

#define REFERENCE_MV 1100UL

static uint16_t reading; /* of 1024; 0 before the first */
static bool taken = true;

void supply_measure(void)
{
    if (!taken)
        return;
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
