/* The supply in millivolts, from the 1.1 V reference as measured against it. */
#ifndef DAMAS_AVR_SUPPLY_H
#define DAMAS_AVR_SUPPLY_H

/* Before a scan: take a measurement if one is wanted. */
void supply_measure(void);

#endif
