/* Bytes that outlast the supply: the number of starts, and from 0x010 on the table of calibration. */
#ifndef DAMAS_AVR_EEPROM_H
#define DAMAS_AVR_EEPROM_H

#include <stdint.h>

/* One more than at the start before; waits some milliseconds. */
uint16_t eeprom_count_start(void);

#endif
