/* The line to the host: 115200 baud, 8N1. The core's side of it is in core/port.h. */
#ifndef DAMAS_AVR_UART_H
#define DAMAS_AVR_UART_H

#include <stdbool.h>

void uart_start(void);

/* Send nothing for a while, or go on. */
void uart_hold(bool held);

#endif
