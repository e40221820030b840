#include "event_log.h"

#include <stddef.h>
#include <string.h>

/* From number `from` to number `to`, which is not older; numbers wrap after 65535. */
static uint16_t distance(uint16_t from, uint16_t to)
{
    return (uint16_t)(to - from);
}

void event_log_start(struct event_log *log)
{
    memset(log, 0, sizeof *log);
    log->fresh = 1;
    log->next = 1;
}

void event_log_add(struct event_log *log, uint32_t t, uint8_t key, uint8_t level)
{
    struct event *event;

    log->newest++;
    if (log->count < EVENT_LOG_SIZE) {
        log->count++;
    } else if (distance(log->next, log->newest) == EVENT_LOG_SIZE) {
        /* The oldest event makes room, and was still to be sent: for the first time, or again. */
        if (log->next == log->fresh) {
            log->fresh++;
            if (log->overrun < UINT8_MAX)
                log->overrun++;
        }
        log->next++;
    }
    event = &log->events[log->newest % EVENT_LOG_SIZE];
    event->t = t;
    event->key = key;
    event->level = level;
}

const struct event *event_log_next(const struct event_log *log)
{
    return log->next == (uint16_t)(log->newest + 1) ? NULL : &log->events[log->next % EVENT_LOG_SIZE];
}

void event_log_was_sent(struct event_log *log)
{
    if (log->next == log->fresh) {
        log->sent = log->fresh;
        log->fresh++;
    }
    log->next++;
}

bool event_log_again(struct event_log *log, uint16_t first)
{
    uint16_t end = (uint16_t)(log->newest + 1);

    if (distance(first, end) > log->count)
        return false;
    if (distance(first, end) > distance(log->next, end))
        log->next = first;
    return true;
}
