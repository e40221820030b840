/* An ATmega328P at 16 MHz (Arduino Nano): a tick each millisecond, a scan each tick or two, sleep between them. */
#include <avr/interrupt.h>
#include <avr/io.h>
#include <avr/pgmspace.h>
#include <avr/sleep.h>

#include "../core/port.h"
#include "../core/protocol.h"
#include "eeprom.h"
#include "lights.h"
#include "sensors.h"
#include "uart.h"

#define PRESCALER 64
#define TICK (F_CPU / PRESCALER / 1000)

const uint16_t port_scan_hz = 1000 / SCAN_EVERY;

/* The board's identity, in flash at 0x3FFC; whoever flashes it puts it into the image. */
static const uint32_t uid __attribute__((section(".uid"), used)) = 0xFFFFFFFF;

static volatile uint8_t ticks;

ISR(TIMER1_COMPA_vect)
{
    ticks++;
}

static void timer_start(void)
{
    TCCR1A = 0;
    TCNT1 = 0;
    OCR1A = TICK - 1;
    TIMSK1 = 1 << OCIE1A;
    TCCR1B = 1 << WGM12 | 1 << CS11 | 1 << CS10;
}

/* Sleep until the next scan is due; the milliseconds since the one before. */
static uint8_t wait(void)
{
    uint8_t gone;

    for (;;) {
        cli();
        gone = ticks;
        if (gone >= SCAN_EVERY)
            break;
        /* The instruction behind sei runs before any interrupt: none is slept through. */
        sei();
        sleep_cpu();
    }
    ticks = 0;
    sei();
    return gone;
}

int main(void)
{
    set_sleep_mode(SLEEP_MODE_IDLE);
    sleep_enable();
    sensors_start();
#ifdef LIGHTS
    lights_begin();
#endif
    uart_start();
    protocol_start(pgm_read_dword(&uid), eeprom_count_start());
    timer_start();
    for (;;) {
        protocol_elapsed(wait());
        sensors_scan();
        protocol_run();
    }
}
