/* Which board this is: its places, how they lie, and its buttons. Chosen when it is built, by -DPLACES=32, 50 or 64. */
#ifndef DAMAS_GEOMETRY_H
#define DAMAS_GEOMETRY_H

/* The byte of HELLO (PROTOCOL.md section 2) and the lines of squares: LINES lines with PER_LINE sensed squares each.
 * On boards with dark squares only, the corner at the connector (Black's left, as seen from White) is a light one. */
#if PLACES == 32
#define GEOMETRY 0x28
#define LINES 8
#define PER_LINE 4
#elif PLACES == 50
#define GEOMETRY 0x2A
#define LINES 10
#define PER_LINE 5
#elif PLACES == 64
#define GEOMETRY 0x08
#define LINES 8
#define PER_LINE 8
#else
#error "build with -DPLACES=32, 50 or 64"
#endif

/* Clock A, clock B, adjust: the keys F0, F1, F2, behind the places wherever keys are counted from 0. */
#define BUTTONS 3
#define FIRST_BUTTON 0xF0
#define KEYS (PLACES + BUTTONS)

/* What a place is told to be: occupied or not, or with Hall sensors which piece is there (PROTOCOL.md section 2). */
#ifdef HALL
#define LEVELS 5
#define LEVEL_BITS 4
#else
#define LEVELS 2
#define LEVEL_BITS 1
#endif

#endif
