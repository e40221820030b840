#include "eeprom.h"

#include <avr/eeprom.h>

#include "../core/port.h"

#define STARTS ((uint16_t *)0x000)
#define CALIBRATION ((uint8_t *)0x010)
#define NEVER_WRITTEN 0xFFFF

uint16_t eeprom_count_start(void)
{
    uint16_t starts = eeprom_read_word(STARTS);

    starts = starts == NEVER_WRITTEN ? 1 : (uint16_t)(starts + 1);
    eeprom_update_word(STARTS, starts);
    return starts;
}

#ifdef HALL
/* Waits (3.4 ms at most) only where the byte before is still being written. */
uint8_t port_kept(uint8_t address)
{
    return eeprom_read_byte(CALIBRATION + address);
}

bool port_keep(uint8_t address, uint8_t byte)
{
    if (!eeprom_is_ready())
        return false;
    eeprom_update_byte(CALIBRATION + address, byte);
    return true;
}
#endif
