/* What stands on the board: contacts in a matrix (matrix.c), or Hall sensors behind multiplexers (hall.c). */
#ifndef DAMAS_AVR_SENSORS_H
#define DAMAS_AVR_SENSORS_H

#ifdef HALL
/* 16 channels of 5 us and four conversions of 26 us are 1.75 ms. */
#define SCAN_EVERY 2 /* ms */
#else
#define SCAN_EVERY 1
#endif

void sensors_start(void);

/* Read every key once, and give each reading to the core. */
void sensors_scan(void);

#endif
