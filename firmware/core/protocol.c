#include "protocol.h"

#include <string.h>

#include "port.h"

enum {
    HELLO = 0x01, EVENT, SNAPSHOT, HEARTBEAT, NAK, ACK, RAW, CALIBRATION,
    ASK_HELLO = 0x41, ASK_SNAPSHOT, RESEND, SET_DEBOUNCE, LED, ASK_RAW, CALIBRATE
};
enum { UNKNOWN = 1, LENGTH, GONE, VALUE };
enum { CAN_LIGHT = 0x01, CAN_RAW = 0x02, CAN_CALIBRATE = 0x04, FACTORY_TABLE = 0x10 };
enum { CALIBRATE_READ, CALIBRATE_WRITE, CALIBRATE_KEEP, CALIBRATE_FACTORY };

#define HEADER 7
#define RAW_MOST 52          /* readings in a frame */
#define CALIBRATION_MOST 17  /* places in a frame */

struct board board;

/* Send `payload`, whose first byte and whose body from HEADER on are filled in, with `seq` and `t`, if there is room. */
static bool send(uint8_t *payload, uint8_t length, uint16_t seq, uint32_t t)
{
    uint8_t wire[FRAME_WIRE];
    uint8_t i;

    if (port_room() < length + FRAME_ADDS)
        return false;
    payload[1] = (uint8_t)seq;
    payload[2] = (uint8_t)(seq >> 8);
    for (i = 0; i < 4; i++)
        payload[3 + i] = (uint8_t)(t >> 8 * i);
    port_send(wire, frame_encode(payload, length, wire));
    return true;
}

static bool send_now(uint8_t *payload, uint8_t length)
{
    return send(payload, length, board.log.sent, board.t);
}

static bool send_hello(uint8_t tag)
{
    uint8_t payload[28] = {HELLO};
    uint8_t caps = 0;
    uint8_t i;

#ifdef LIGHTS
    caps |= CAN_LIGHT;
#endif
#ifdef HALL
    caps |= CAN_RAW | CAN_CALIBRATE;
    if (board.hall.factory)
        caps |= FACTORY_TABLE;
#endif
    payload[7] = tag;
    payload[8] = PROTOCOL;
    payload[9] = FIRMWARE_MAJOR;
    payload[10] = FIRMWARE_MINOR;
    payload[11] = (uint8_t)board.boot_id;
    payload[12] = (uint8_t)(board.boot_id >> 8);
    payload[13] = PLACES;
    payload[14] = BUTTONS;
    payload[15] = caps;
    payload[17] = GEOMETRY;
    payload[18] = LEVELS;
    payload[19] = HARDWARE;
    payload[20] = (uint8_t)port_scan_hz;
    payload[21] = (uint8_t)(port_scan_hz >> 8);
    payload[22] = board.contacts.down;
    payload[23] = board.contacts.up;
    for (i = 0; i < 4; i++)
        payload[24 + i] = (uint8_t)(board.uid >> 8 * i);
    return send_now(payload, sizeof payload);
}

static bool send_snapshot(uint8_t tag)
{
    uint8_t payload[HEADER + 1 + (KEYS * LEVEL_BITS + 7) / 8] = {SNAPSHOT};
    uint16_t bit = 0;
    uint8_t key;

    payload[7] = tag;
    for (key = 0; key < KEYS; key++, bit = (uint16_t)(bit + LEVEL_BITS))
        payload[8 + bit / 8] |= (uint8_t)(debounce_level(&board.contacts, key) << bit % 8);
    return send_now(payload, sizeof payload);
}

static bool send_heartbeat(bool events_are_sent)
{
    uint8_t payload[HEADER + 6 + KEY_BYTES] = {HEARTBEAT};
    uint8_t length = sizeof payload;
    uint16_t supply = port_supply();
    uint8_t i;

    payload[7] = (uint8_t)board.rate;
    payload[8] = (uint8_t)(board.rate >> 8);
    payload[9] = board.reader.bad;
    payload[10] = board.log.overrun;
    payload[11] = (uint8_t)supply;
    payload[12] = (uint8_t)(supply >> 8);
    /* A key that is still again is told to be so behind the event that came of it: else the host would take what was
     * there before for what is there now. */
    for (i = 0; i < KEY_BYTES; i++)
        payload[13 + i] = (uint8_t)(board.contacts.unstable[i] | (events_are_sent ? 0 : board.unstable[i]));
    while (length > HEADER + 6 && payload[length - 1] == 0)
        length--;
    if (length == HEADER + 6 && supply == 0)
        length = HEADER + 4;
    if (!send_now(payload, length))
        return false;
    memcpy(board.unstable, &payload[13], KEY_BYTES);
    board.beat = false;
    return true;
}

static bool send_event(const struct event *event)
{
    uint8_t payload[9] = {EVENT};

    payload[7] = event->key;
    payload[8] = event->level;
    if (!send(payload, sizeof payload, board.log.next, event->t))
        return false;
    event_log_was_sent(&board.log);
    return true;
}

#ifdef HALL
static bool send_raw(void)
{
    uint8_t payload[HEADER + 1 + RAW_MOST] = {RAW};
    uint8_t count = (uint8_t)(PLACES - board.raw_next);
    uint8_t i;

    if (count > RAW_MOST)
        count = RAW_MOST;
    if (port_room() < HEADER + 1 + count + FRAME_ADDS) /* before so many readings are taken */
        return false;
    payload[7] = (uint8_t)(board.raw_next + 1);
    for (i = 0; i < count; i++)
        payload[8 + i] = port_reading((uint8_t)(board.raw_next + i));
    board.raw_next = (uint8_t)(board.raw_next + count);
    return send_now(payload, (uint8_t)(HEADER + 1 + count));
}

static bool send_calibration(uint8_t first)
{
    uint8_t payload[HEADER + 2 + 3 * CALIBRATION_MOST] = {CALIBRATION};
    uint8_t count = (uint8_t)(PLACES + 1 - first);

    if (count > CALIBRATION_MOST)
        count = CALIBRATION_MOST;
    payload[7] = first;
    payload[8] = board.hall.table.flags;
    memcpy(&payload[9], &board.hall.table.squares[first - 1], 3u * count);
    return send_now(payload, (uint8_t)(HEADER + 2 + 3 * count));
}
#endif

/* Whether there is an answer, and nothing must come before it. */
static bool may_answer(bool events_are_sent)
{
    switch (board.answer.what) {
    case 0:
        return false;
    case SNAPSHOT:
        /* Its levels are those behind the newest event; and the pieces that stand there at the start are in it. */
        return events_are_sent && board.start == STARTED;
    case ACK:
#ifdef HALL
        if (board.answer.command == CALIBRATE)
            return board.hall.keeping == HALL_KEPT_SIZE;
#endif
        return events_are_sent || board.answer.command != RESEND;
    default:
        return true;
    }
}

static bool send_answer(void)
{
    uint8_t payload[10] = {board.answer.what};
    bool sent;

    payload[7] = board.answer.tag;
    payload[8] = board.answer.command;
    payload[9] = board.answer.code;
    switch (board.answer.what) {
    case HELLO:
        sent = send_hello(board.answer.tag);
        break;
    case SNAPSHOT:
        sent = send_snapshot(board.answer.tag);
        break;
#ifdef HALL
    case CALIBRATION:
        sent = send_calibration(board.answer.code);
        break;
#endif
    default: /* ACK, NAK */
        sent = send_now(payload, board.answer.what == ACK ? 9 : 10);
    }
    if (sent)
        board.answer.what = 0;
    return sent;
}

static void refuse(uint8_t code)
{
    board.answer.what = NAK;
    board.answer.code = code;
}

static void acknowledge_if(bool taken)
{
    if (taken)
        board.answer.what = ACK;
    else
        refuse(VALUE);
}

#ifdef LIGHTS
static bool light(const uint8_t *data, uint8_t length)
{
    bool taken = lights_set(&board.lights, data[2], &data[3], (uint8_t)(length - 3));

    board.show |= taken;
    return taken;
}
#endif

#ifdef HALL
static void calibrate(const uint8_t *data, uint8_t length)
{
    uint8_t first = length > 3 ? data[3] : 0;
    uint8_t count = (uint8_t)((length - 4) / 3);

    switch (length > 2 ? data[2] : 0xFF) {
    case CALIBRATE_READ:
        if (length != 4)
            refuse(LENGTH);
        else if (first < 1 || first > PLACES)
            refuse(VALUE);
        else {
            board.answer.what = CALIBRATION;
            board.answer.code = first;
        }
        break;
    case CALIBRATE_WRITE:
        if (length < 7 || (length - 4) % 3)
            refuse(LENGTH);
        else if (first < 1 || first > PLACES || count > PLACES + 1 - first)
            refuse(VALUE);
        else {
            hall_write(&board.hall, (uint8_t)(first - 1), &data[4], count);
            board.answer.what = ACK;
        }
        break;
    case CALIBRATE_KEEP:
        if (length != 6) {
            refuse(LENGTH);
            break;
        }
        acknowledge_if(hall_keep_all(&board.hall, data[3], (uint16_t)(data[4] | data[5] << 8)));
        break;
    case CALIBRATE_FACTORY:
        if (length != 3)
            refuse(LENGTH);
        else {
            hall_factory(&board.hall);
            board.answer.what = ACK;
        }
        break;
    default:
        refuse(length > 2 ? VALUE : LENGTH);
    }
}
#endif

/* Carry out a command of `length` bytes, at least one; the answer is what is left to be sent. */
static void command(const uint8_t *data, uint8_t length)
{
    board.answer.command = data[0];
    board.answer.tag = length > 1 ? data[1] : 0;
    if (length < 2) {
        refuse(LENGTH);
        return;
    }
    switch (data[0]) {
    case ASK_HELLO:
    case ASK_SNAPSHOT:
        if (length != 2)
            refuse(LENGTH);
        else
            board.answer.what = data[0] == ASK_HELLO ? HELLO : SNAPSHOT;
        break;
    case RESEND:
        if (length != 4)
            refuse(LENGTH);
        else if (event_log_again(&board.log, (uint16_t)(data[2] | data[3] << 8)))
            board.answer.what = ACK;
        else
            refuse(GONE);
        break;
    case SET_DEBOUNCE:
        if (length != 4)
            refuse(LENGTH);
        else
            acknowledge_if(debounce_set(&board.contacts, data[2], data[3]));
        break;
#ifdef LIGHTS
    case LED:
        if (length < 3)
            refuse(LENGTH);
        else
            acknowledge_if(light(data, length));
        break;
#endif
#ifdef HALL
    case ASK_RAW:
        if (length != 3) {
            refuse(LENGTH);
        } else {
            board.raw_rate = data[2];
            board.raw_due = board.t;
            board.raw_left = RAW_FOR;
            board.raw_next = PLACES;
            board.answer.what = ACK;
        }
        break;
    case CALIBRATE:
        calibrate(data, length);
        break;
#endif
    default:
        refuse(UNKNOWN);
    }
}

static void take_command(void)
{
    uint8_t byte, length;

    while (board.answer.what == 0 && port_receive(&byte)) {
        length = frame_read(&board.reader, byte);
        if (length)
            command(board.reader.data, length);
    }
}

void protocol_start(uint32_t uid, uint16_t boot_id)
{
    memset(&board, 0, sizeof board);
    debounce_start(&board.contacts, DEBOUNCE_DOWN, DEBOUNCE_UP);
    event_log_start(&board.log);
    frame_start(&board.reader);
#ifdef LIGHTS
    lights_start(&board.lights);
    board.show = true; /* they may have been on when the board started again */
#endif
#ifdef HALL
    hall_start(&board.hall);
    board.raw_next = PLACES;
#endif
    board.uid = uid;
    board.boot_id = boot_id;
    board.beat_due = HEARTBEAT_EVERY;
}

void protocol_elapsed(uint8_t ms)
{
    board.t += ms;
    board.elapsed = ms;
    board.scans++;
#ifdef HALL
    if (board.raw_left > ms)
        board.raw_left = (uint16_t)(board.raw_left - ms);
    else
        board.raw_left = board.raw_rate = 0;
#endif
#ifdef LIGHTS
    board.show |= lights_elapsed(&board.lights, ms);
#endif
}

void protocol_read(uint8_t key, uint8_t reading)
{
    uint8_t name = (uint8_t)(key < PLACES ? key + 1 : FIRST_BUTTON + key - PLACES);

#ifdef HALL
    if (key < PLACES) {
        uint8_t now = debounce_level(&board.contacts, key);

        if (board.raw_rate == 0) /* nobody is calibrating */
            hall_track(&board.hall, key, reading, now, board.elapsed);
        reading = hall_level(&board.hall, key, reading, now);
    }
#endif
    if (!debounce_read(&board.contacts, key, reading, board.elapsed))
        return;
    event_log_add(&board.log, board.t, name, debounce_level(&board.contacts, key));
#ifdef LIGHTS
    if (key >= PLACES && key < PLACES + 2 && reading)
        board.show |= lights_dark(&board.lights);
#endif
}

/* Whether `due` has come; it wraps with the time. */
static bool is_due(uint32_t due)
{
    return board.t - due < 0x80000000u;
}

/* Send the frame that is first in the order, if there is one and it has room. */
static bool send_next(void)
{
    static const uint8_t END = 0x00;
    const struct event *event = event_log_next(&board.log);

    if (board.start == TO_GREET) {
        if (port_room() < FRAME_WIRE)
            return false;
        port_send(&END, 1); /* of what the board was saying when it was reset: it must not swallow HELLO */
        board.start = TO_SHOW;
        return send_hello(0);
    }
    if (board.beat || (event == NULL && memcmp(board.unstable, board.contacts.unstable, KEY_BYTES) != 0))
        return send_heartbeat(event == NULL);
    if (may_answer(event == NULL) && !(board.answered && event != NULL))
        return board.answered = send_answer();
    if (event != NULL) {
        if (!send_event(event))
            return false;
        board.answered = false;
        return true;
    }
    if (board.start == TO_SHOW && board.scans > 0 && (debounce_settled(&board.contacts) || board.t >= START_MOST)) {
        if (!send_snapshot(0))
            return false;
        board.start = STARTED;
        return true;
    }
#ifdef HALL
    if (board.raw_next < PLACES)
        return send_raw();
#endif
    return false;
}

void protocol_run(void)
{
    if (is_due(board.beat_due)) {
        board.beat_due += HEARTBEAT_EVERY;
        board.rate = board.scans;
        board.scans = 0;
        board.beat = true;
    }
#ifdef HALL
    hall_keep(&board.hall);
    if (board.raw_rate && board.raw_next == PLACES && is_due(board.raw_due)) {
        board.raw_due = board.t + 1000u / board.raw_rate;
        board.raw_next = 0;
    }
#endif
    do
        take_command();
    while (send_next());
#ifdef LIGHTS
    if (board.show) {
        board.show = false;
        port_show();
    }
#endif
}
