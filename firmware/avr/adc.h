/* The analogue converter: against the supply, left adjusted, 500 kHz: 26 us a conversion, good for eight bits.
 *
 * In idle sleep it starts a conversion by itself, so whoever wants one waits for that to end. */
#ifndef DAMAS_AVR_ADC_H
#define DAMAS_AVR_ADC_H

#include <avr/io.h>

#define ADC_SUPPLY 14 /* the channel of the 1.1 V reference */

static inline void adc_select(uint8_t channel)
{
    ADMUX = (uint8_t)(1 << REFS0 | 1 << ADLAR | channel);
}

static inline void adc_start(uint8_t channel)
{
    adc_select(channel);
    ADCSRA = 1 << ADEN | 1 << ADPS2 | 1 << ADPS0;
}

static inline void adc_wait(void)
{
    while (ADCSRA & 1 << ADSC)
        ;
}

static inline void adc_convert(uint8_t channel)
{
    adc_wait();
    adc_select(channel);
    ADCSRA |= 1 << ADSC;
}

static inline uint8_t adc_byte(void)
{
    adc_wait();
    return ADCH;
}

#endif
