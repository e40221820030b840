/* The chain of WS2812 at PB5, in the order of the places.
 *
 * A bit is 20 cycles (1.25 us): high for 6 (0.375 us) is a 0, high for 12 (0.75 us) is a 1. No interrupt may come in
 * between, so interrupts are off for one light at a time, 30 us. A byte of the host's takes 85 us, and the receiver
 * keeps two while a third comes in: none is lost. Between two lights the receiver and the tick get their turn, and the
 * transmitter waits until all is shown: so a pause is less than 9 us, from when on some chains take it for the end
 * (most do from 50 us on). */
#include "../core/lights.h"

#include <avr/interrupt.h>
#include <avr/io.h>

#include "../core/port.h"
#include "../core/protocol.h"
#include "lights.h"
#include "uart.h"

#define DATA (1 << PB5)

void lights_begin(void)
{
    DDRB |= DATA;
}

static void send(uint8_t byte)
{
    uint8_t high = PORTB | DATA, low = PORTB & (uint8_t)~DATA;
    uint8_t bits = 8;

    __asm__ volatile(
        "1: out  %[port], %[high]  \n" /* 1: high */
        "   rjmp .+0               \n"
        "   rjmp .+0               \n"
        "   sbrs %[byte], 7        \n"
        "   out  %[port], %[low]   \n" /* 7: low for a 0 */
        "   lsl  %[byte]           \n"
        "   rjmp .+0               \n"
        "   rjmp .+0               \n"
        "   out  %[port], %[low]   \n" /* 13: low for a 1 */
        "   rjmp .+0               \n"
        "   nop                    \n"
        "   dec  %[bits]           \n"
        "   brne 1b                \n"
        : [byte] "+r"(byte), [bits] "+r"(bits)
        : [port] "I"(_SFR_IO_ADDR(PORTB)), [high] "r"(high), [low] "r"(low));
}

/* Not inlined: its frame would be on the stack all the time. */
__attribute__((noinline)) void port_show(void)
{
    uint8_t lit[PLACES], bright = 0; /* worked out before: the pauses are for interrupts */
    uint8_t place;

    for (place = 0; place < PLACES; place++) {
        uint8_t rgb[3];

        lights_rgb(&board.lights, place, rgb);
        lit[place] = (rgb[0] ? 1 : 0) | (rgb[1] ? 2 : 0) | (rgb[2] ? 4 : 0);
        bright |= rgb[0] | rgb[1] | rgb[2]; /* all channels that are lit are equally so */
    }
    uart_hold(true);
    for (place = 0; place < PLACES; place++) {
        cli();
        send(lit[place] & 2 ? bright : 0);
        send(lit[place] & 1 ? bright : 0);
        send(lit[place] & 4 ? bright : 0);
        sei();
    }
    uart_hold(false);
}
