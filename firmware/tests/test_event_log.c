/* The event log: what is sent, lost and sent again, also over the wrap of the numbers. */
#include <stddef.h>
#include <stdio.h>

#include "check.h"
#include "event_log.h"

static struct event_log events;

static void add(unsigned count)
{
    while (count--) {
        uint16_t number = (uint16_t)(events.newest + 1);

        event_log_add(&events, number * 3u, (uint8_t)(number % 100 + 1), number & 1);
    }
}

/* Send the next event; its number, -1 where there is none. */
static long send(void)
{
    const struct event *event = event_log_next(&events);
    uint16_t number = events.next;

    if (event == NULL)
        return -1;
    CHECK_EQUAL(event->t, number * 3u);
    CHECK_EQUAL(event->key, number % 100 + 1);
    CHECK_EQUAL(event->level, number & 1);
    event_log_was_sent(&events);
    return number;
}

/* Send all; how many there were, and they were the numbers from `first` on. */
static unsigned send_all(uint16_t first)
{
    unsigned count = 0;
    long number;

    for (; (number = send()) >= 0; count++, first++)
        CHECK_EQUAL(number, first);
    return count;
}

/* A log whose newest event has this number and was sent. */
static void start_at(uint16_t newest)
{
    event_log_start(&events);
    events.newest = events.sent = newest;
    events.fresh = events.next = (uint16_t)(newest + 1);
}

static void begin(const char *name, uint16_t newest)
{
    snprintf(check_context, sizeof check_context, "event log, %s, behind number %u", name, newest);
    start_at(newest);
}

static void test_at(uint16_t newest)
{
    uint16_t first = (uint16_t)(newest + 1);

    begin("sent as they come", newest);
    CHECK_EQUAL(send(), -1);
    add(1);
    CHECK_EQUAL(events.sent, newest);
    CHECK_EQUAL(send(), first);
    CHECK_EQUAL(events.sent, first);
    add(2);
    CHECK_EQUAL(send_all((uint16_t)(newest + 2)), 2);
    CHECK_EQUAL(events.sent, (uint16_t)(newest + 3));
    CHECK_EQUAL(events.overrun, 0);

    begin("full, and none is lost", newest);
    add(EVENT_LOG_SIZE);
    CHECK_EQUAL(events.overrun, 0);
    CHECK_EQUAL(send_all(first), EVENT_LOG_SIZE);

    begin("overrun", newest);
    add(EVENT_LOG_SIZE + 3);
    CHECK_EQUAL(events.overrun, 3);
    CHECK_EQUAL(events.sent, newest);
    CHECK_EQUAL(send_all((uint16_t)(first + 3)), EVENT_LOG_SIZE);
    CHECK_EQUAL(events.sent, (uint16_t)(first + 3 + EVENT_LOG_SIZE - 1));
    add(1);
    CHECK_EQUAL(send_all((uint16_t)(first + 3 + EVENT_LOG_SIZE)), 1);
    CHECK_EQUAL(events.overrun, 3);

    begin("overrun after some were sent", newest);
    add(EVENT_LOG_SIZE);
    CHECK_EQUAL(send(), first);
    add(2);
    CHECK_EQUAL(events.overrun, 1);
    CHECK_EQUAL(events.sent, first);
    CHECK_EQUAL(send_all((uint16_t)(first + 2)), EVENT_LOG_SIZE);

    begin("so many lost that the count stays", newest);
    add(EVENT_LOG_SIZE + 300);
    CHECK_EQUAL(events.overrun, 255);
    CHECK_EQUAL(send_all((uint16_t)(first + 300)), EVENT_LOG_SIZE);

    begin("again", newest);
    add(10);
    CHECK_EQUAL(send_all(first), 10);
    CHECK(event_log_again(&events, (uint16_t)(first + 4)));
    CHECK_EQUAL(events.sent, (uint16_t)(first + 9));
    CHECK_EQUAL(send_all((uint16_t)(first + 4)), 6);
    CHECK_EQUAL(events.sent, (uint16_t)(first + 9));
    CHECK(event_log_again(&events, (uint16_t)(first + 10)));
    CHECK_EQUAL(send(), -1);

    begin("again, of more than there are", newest);
    add(10);
    CHECK_EQUAL(send_all(first), 10);
    CHECK(!event_log_again(&events, newest));
    CHECK(!event_log_again(&events, (uint16_t)(first + 11)));
    CHECK(!event_log_again(&events, (uint16_t)(first + 32768)));
    CHECK_EQUAL(send(), -1);

    begin("the oldest that is kept, and the one before", newest);
    add(EVENT_LOG_SIZE);
    send_all(first);
    add(5);
    send_all((uint16_t)(first + EVENT_LOG_SIZE));
    CHECK_EQUAL(events.overrun, 0);
    CHECK(!event_log_again(&events, (uint16_t)(first + 4)));
    CHECK(event_log_again(&events, (uint16_t)(first + 5)));
    CHECK_EQUAL(send_all((uint16_t)(first + 5)), EVENT_LOG_SIZE);

    begin("new ones while old ones are sent again", newest);
    add(3);
    send_all(first);
    CHECK(event_log_again(&events, first));
    CHECK_EQUAL(send(), first);
    add(1);
    CHECK_EQUAL(events.sent, (uint16_t)(first + 2));
    CHECK_EQUAL(send_all((uint16_t)(first + 1)), 3);
    CHECK_EQUAL(events.sent, (uint16_t)(first + 3));

    begin("overwritten while they are sent again: they were sent once and are not lost", newest);
    add(EVENT_LOG_SIZE);
    send_all(first);
    CHECK(event_log_again(&events, first));
    add(4);
    CHECK_EQUAL(events.overrun, 0);
    CHECK_EQUAL(send_all((uint16_t)(first + 4)), EVENT_LOG_SIZE);
    CHECK_EQUAL(events.overrun, 0);

    begin("overrun reaches those that were never sent while old ones are sent again", newest);
    add(EVENT_LOG_SIZE);
    send_all(first);
    CHECK(event_log_again(&events, first));
    add(EVENT_LOG_SIZE + 2);
    CHECK_EQUAL(events.overrun, 2);
    CHECK_EQUAL(send_all((uint16_t)(first + EVENT_LOG_SIZE + 2)), EVENT_LOG_SIZE);

    begin("asked for what is not sent yet: nothing is left out", newest);
    add(5);
    CHECK_EQUAL(send(), first);
    CHECK(event_log_again(&events, (uint16_t)(first + 3)));
    CHECK_EQUAL(send_all((uint16_t)(first + 1)), 4);
    CHECK_EQUAL(events.sent, (uint16_t)(first + 4));
}

void test_event_log(void)
{
    static const uint16_t NEWEST[] = {0, 1, 127, 128, 65400, 65407, 65408, 65530, 65534, 65535};
    unsigned i;

    for (i = 0; i < sizeof NEWEST / sizeof *NEWEST; i++)
        test_at(NEWEST[i]);
    snprintf(check_context, sizeof check_context, "event log, at the start");
    event_log_start(&events);
    CHECK_EQUAL(events.sent, 0);
    CHECK(event_log_again(&events, 1));
    CHECK(!event_log_again(&events, 0));
    add(1);
    CHECK_EQUAL(send(), 1);
}
