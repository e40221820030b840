/* What a port (firmware/avr, firmware/host, the tests) gives the core. Nothing here waits. */
#ifndef DAMAS_PORT_H
#define DAMAS_PORT_H

#include <stdbool.h>
#include <stdint.h>

extern const uint16_t port_scan_hz; /* scans a second, as built */

uint8_t port_room(void);                              /* bytes that the transmitter takes now; FRAME_WIRE when idle */
void port_send(const uint8_t *data, uint8_t length);  /* never more than that */
bool port_receive(uint8_t *byte);                     /* the next byte from the host, if there is one */
uint16_t port_supply(void);                           /* millivolts; 0 where it is not measured */

/* A board with lights (-DLIGHTS): show the colours of lights.h; called when they have changed. */
void port_show(void);

/* A board with Hall sensors (-DHALL): the newest reading of a place, and bytes that outlast the supply. */
uint8_t port_reading(uint8_t place);
uint8_t port_kept(uint8_t address);
bool port_keep(uint8_t address, uint8_t byte); /* false: the byte before is still being written; ask again */

#endif
