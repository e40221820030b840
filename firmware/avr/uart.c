#include "uart.h"

#include <avr/interrupt.h>
#include <avr/io.h>

#include "../core/frame.h"
#include "../core/port.h"

/* What is sent between two scans must fit, and the longest frame: at 115200 baud 12 bytes go in a millisecond. What is
 * received waits for the next scan, or until the lights are shown (2.5 ms). A ring holds one byte less than its size: 63
 * from the host, where the longest command (18 places of CALIBRATE) has 62. */
#ifdef HALL
#define TO_HOST (FRAME_WIRE + 12)
#else
#define TO_HOST 128
#endif
#define FROM_HOST 64

/* 16 MHz / 8 / 17 = 117647 baud: 2.1 % fast, the nearest there is. */
#define DIVIDER 16

static uint8_t to_host[TO_HOST];
static volatile uint8_t to_host_in, to_host_out;
static uint8_t from_host[FROM_HOST];
static volatile uint8_t from_host_in, from_host_out;

/* What was written or read in a ring is so before the other side is told: the compiler moves nothing past this. */
#define BEFORE_IT_IS_TOLD() __asm__ volatile("" ::: "memory")

static inline uint8_t behind(uint8_t index, uint8_t size)
{
    return (uint8_t)(index + 1) == size ? 0 : (uint8_t)(index + 1);
}

void uart_start(void)
{
    UBRR0 = DIVIDER;
    UCSR0A = 1 << U2X0;
    UCSR0C = 1 << UCSZ01 | 1 << UCSZ00;
    UCSR0B = 1 << RXCIE0 | 1 << RXEN0 | 1 << TXEN0;
}

/* Not atomic instructions: an interrupt that ended in between would see its own change undone. */
void uart_hold(bool held)
{
    cli();
    if (held)
        UCSR0B &= (uint8_t)~(1 << UDRIE0);
    else if (to_host_in != to_host_out)
        UCSR0B |= 1 << UDRIE0;
    sei();
}

ISR(USART_RX_vect)
{
    uint8_t byte = UDR0;
    uint8_t next = behind(from_host_in, FROM_HOST);

    /* Full: the command is broken now, is counted as such, and the host asks again. */
    if (next == from_host_out)
        return;
    from_host[from_host_in] = byte;
    BEFORE_IT_IS_TOLD();
    from_host_in = next;
}

ISR(USART_UDRE_vect)
{
    uint8_t next = behind(to_host_out, TO_HOST);

    UDR0 = to_host[to_host_out];
    BEFORE_IT_IS_TOLD();
    to_host_out = next;
    if (next == to_host_in)
        UCSR0B &= (uint8_t)~(1 << UDRIE0);
}

uint8_t port_room(void)
{
    uint8_t in = to_host_in, out = to_host_out;

    return (uint8_t)((in < out ? 0 : TO_HOST) + out - in - 1);
}

void port_send(const uint8_t *data, uint8_t length)
{
    uint8_t in = to_host_in;

    while (length--) {
        to_host[in] = *data++;
        in = behind(in, TO_HOST);
    }
    BEFORE_IT_IS_TOLD();
    to_host_in = in;
    uart_hold(false);
}

bool port_receive(uint8_t *byte)
{
    uint8_t out = from_host_out;

    if (out == from_host_in)
        return false;
    *byte = from_host[out];
    BEFORE_IT_IS_TOLD();
    from_host_out = behind(out, FROM_HOST);
    return true;
}
