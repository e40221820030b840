/* The chain of lights; what it shows is in core/lights.h. */
#ifndef DAMAS_AVR_LIGHTS_H
#define DAMAS_AVR_LIGHTS_H

void lights_begin(void);

#endif
