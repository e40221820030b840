/* The newest 128 events: what is still to be sent, and what a host may ask for again (PROTOCOL.md section 5). */
#ifndef DAMAS_EVENT_LOG_H
#define DAMAS_EVENT_LOG_H

#include <stdbool.h>
#include <stdint.h>

#define EVENT_LOG_SIZE 128

struct event {
    uint32_t t;    /* ms since the start, when it was debounced */
    uint8_t key;   /* as on the wire: 1 to PLACES, F0 to F2 */
    uint8_t level;
};

struct event_log {
    struct event events[EVENT_LOG_SIZE]; /* number n is at n % EVENT_LOG_SIZE */
    uint16_t newest;                     /* the number of the newest event; 0 before the first */
    uint16_t sent;                       /* the number of the newest event that was sent; 0 before the first */
    uint16_t fresh;                      /* the number of the oldest event that was neither sent nor lost */
    uint16_t next;                       /* the number of the event to be sent next: `fresh`, or older where asked again */
    uint8_t count;                       /* events that are kept */
    uint8_t overrun;                     /* events lost before they were sent; stays at 255 */
};

void event_log_start(struct event_log *log);
void event_log_add(struct event_log *log, uint32_t t, uint8_t key, uint8_t level);

/* The event to be sent next; NULL where all are sent. `event_log_was_sent` when it is. */
const struct event *event_log_next(const struct event_log *log);
void event_log_was_sent(struct event_log *log);

/* Send everything from number `first` on again. False where it is not kept any more, or does not exist yet; `first`
 * one above the newest is nothing to send again. */
bool event_log_again(struct event_log *log, uint16_t first);

#endif
