/* The board as a program of this computer: the same core, its wire a pseudo-terminal, its pieces moved by stdin.
 *
 *     board-50 [--link PATH] [--uid HEX] [--eeprom FILE]
 *
 * The first line it writes is the path at which a host finds it. Then each line of stdin is a command, answered by one
 * line, `ok` or `error ...`. One command is carried out a scan, so that what is done first is seen first:
 *
 *     s PLACE LEVEL     what stands on a place from now on (0 nothing, 1 ... as in PROTOCOL.md); PLACE a number, or
 *                       a, b, adjust for the buttons
 *     v PLACE READING   what its Hall sensor reads (boards with Hall sensors)
 *     b PLACE N US      the contact changes N times, US microseconds apart, the first time now
 *     press BUTTON      pressed for 50 ms
 *     w MS              the next command waits so long
 *     lights            the lights that are on: `ok PLACE:RRGGBB ...` (boards with lights)
 *     reset             start again
 *     unplug, plug      without supply, and with its wire hung up, until it is plugged in again
 *     q                 the end; so is the end of stdin
 *
 * Bytes for a host that does not read are lost, as on a real line. */
#define _XOPEN_SOURCE 700

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#include "port.h"
#include "protocol.h"

#define PRESSED_US 50000
#define EEPROM_SIZE 1024
#define EEPROM_HALL 0x10
#define LINE 128

const uint16_t port_scan_hz = 1000;

struct contact {
    uint8_t reading, other; /* now, and after the next change; a level, or what a Hall sensor reads */
    unsigned long changes;  /* still to come */
    uint64_t at, every;     /* us */
};

static struct contact contacts[KEYS];
static uint8_t eeprom[EEPROM_SIZE];
static int eeprom_file = -1;
static int master = -1, slave = -1;
static const char *link_path;
static uint32_t uid = 0x0DA3A500u + PLACES;
static uint64_t now;      /* us */
static uint64_t hold;     /* us: when the next command may be carried out */
static uint64_t scanned;  /* us: the newest scan, in whole milliseconds from the start on */
static char line[LINE];   /* of stdin, as far as it has come */
static size_t length;
static volatile sig_atomic_t over;

static void fail(const char *what)
{
    fprintf(stderr, "%s: %s\n", what, strerror(errno));
    exit(1);
}

static uint64_t clock_us(void)
{
    struct timespec time;

    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000000u + (uint64_t)time.tv_nsec / 1000u;
}

/* The port. */

uint8_t port_room(void)
{
    return 255;
}

void port_send(const uint8_t *data, uint8_t size)
{
    if (write(master, data, size) < 0 && errno != EAGAIN && errno != EIO)
        fail("the terminal");
}

bool port_receive(uint8_t *byte)
{
    return read(master, byte, 1) == 1;
}

uint16_t port_supply(void)
{
    return 0;
}

static void eeprom_write(size_t address, uint8_t byte)
{
    eeprom[address] = byte;
    if (eeprom_file >= 0 && pwrite(eeprom_file, &byte, 1, (off_t)address) != 1)
        fail("the EEPROM's file");
}

#ifdef LIGHTS
static uint8_t shown[PLACES][3];

void port_show(void)
{
    uint8_t place;

    for (place = 0; place < PLACES; place++)
        lights_rgb(&board.lights, place, shown[place]);
}
#endif

#ifdef HALL
uint8_t port_reading(uint8_t place)
{
    return contacts[place].reading;
}

uint8_t port_kept(uint8_t address)
{
    return eeprom[EEPROM_HALL + address];
}

bool port_keep(uint8_t address, uint8_t byte)
{
    eeprom_write(EEPROM_HALL + (size_t)address, byte);
    return true;
}
#endif

/* Supply and wire. */

static void boot(void)
{
    uint16_t count = (uint16_t)(eeprom[0] | eeprom[1] << 8);

    count = (uint16_t)(count == 0xFFFF ? 1 : count + 1);
    eeprom_write(0, (uint8_t)count);
    eeprom_write(1, (uint8_t)(count >> 8));
    protocol_start(uid, count);
    scanned = now;
}

static void plug(void)
{
    struct termios raw;
    struct stat there;
    const char *path;

    master = posix_openpt(O_RDWR | O_NOCTTY);
    if (master < 0 || grantpt(master) || unlockpt(master) || (path = ptsname(master)) == NULL)
        fail("no pseudo-terminal");
    /* Kept open here too: without it the master would be hung up whenever no host is there. */
    slave = open(path, O_RDWR | O_NOCTTY);
    if (slave < 0 || tcgetattr(slave, &raw))
        fail(path);
    raw.c_iflag = 0;
    raw.c_oflag = 0;
    raw.c_lflag = 0;
    raw.c_cflag = CS8 | CREAD | CLOCAL;
    if (tcsetattr(slave, TCSANOW, &raw) || fcntl(master, F_SETFL, O_NONBLOCK) < 0)
        fail(path);
    if (link_path != NULL) {
        if (lstat(link_path, &there) == 0 && S_ISLNK(there.st_mode))
            unlink(link_path);
        if (symlink(path, link_path))
            fail(link_path);
    }
    boot();
}

static void unplug(void)
{
    if (link_path != NULL)
        unlink(link_path);
    close(slave);
    close(master);
    master = slave = -1;
}

/* The hand. */

static void set(uint8_t key, uint8_t reading)
{
    contacts[key].reading = reading;
    contacts[key].changes = 0;
}

static uint8_t reading_of(uint8_t key, unsigned level)
{
#ifdef HALL
    static const uint8_t READINGS[] = {HALL_ZERO, HALL_ZERO - 20, HALL_ZERO + 20, HALL_ZERO - 50, HALL_ZERO + 50};

    if (key < PLACES)
        return READINGS[level];
#endif
    (void)key;
    return (uint8_t)level;
}

static void change(uint8_t key, unsigned long changes, uint64_t every)
{
    struct contact *contact = &contacts[key];

    contact->other = reading_of(key, contact->reading == reading_of(key, 0));
    contact->changes = changes;
    contact->at = now;
    contact->every = every;
}

static uint8_t reading_now(uint8_t key)
{
    struct contact *contact = &contacts[key];

    while (contact->changes > 0 && contact->at <= now) {
        uint8_t before = contact->reading;

        contact->reading = contact->other;
        contact->other = before;
        contact->changes--;
        contact->at += contact->every;
    }
    return contact->reading;
}

static void scan(uint8_t elapsed)
{
    uint8_t key;

    protocol_elapsed(elapsed);
    for (key = 0; key < KEYS; key++)
        protocol_read(key, reading_now(key));
    protocol_run();
}

/* The key (from 0) that a word of a command names; KEYS if none. */
static uint8_t key_of(const char *word)
{
    static const char *const NAMES[BUTTONS] = {"a", "b", "adjust"};
    char *end;
    unsigned long place = strtoul(word, &end, 10);
    uint8_t i;

    for (i = 0; i < BUTTONS; i++)
        if (strcmp(word, NAMES[i]) == 0)
            return (uint8_t)(PLACES + i);
    return *end == 0 && place >= 1 && place <= PLACES ? (uint8_t)(place - 1) : KEYS;
}

/* Carry out a command; what was wrong with it, or NULL. */
static const char *carry_out(char *text)
{
    char name[LINE] = "", word[LINE] = "";
    unsigned long number = 0, us = 0;
    int words = sscanf(text, "%s %s %lu %lu", name, word, &number, &us);
    uint8_t key = words >= 2 ? key_of(word) : KEYS;
    unsigned levels = key < PLACES ? LEVELS : 2;

    if (strcmp(name, "s") == 0 && words == 3 && key < KEYS && number < levels)
        set(key, reading_of(key, (unsigned)number));
#ifdef HALL
    else if (strcmp(name, "v") == 0 && words == 3 && key < PLACES && number <= UINT8_MAX)
        set(key, (uint8_t)number);
#endif
    else if (strcmp(name, "b") == 0 && words == 4 && key < KEYS && us > 0)
        change(key, number, us);
    else if (strcmp(name, "press") == 0 && words == 2 && key >= PLACES && key < KEYS) {
        set(key, 0);
        change(key, 2, PRESSED_US);
    } else if (strcmp(name, "w") == 0 && words == 2)
        hold = now + strtoul(word, NULL, 10) * 1000u;
    else if (strcmp(name, "reset") == 0 && words == 1 && master >= 0)
        boot();
    else if (strcmp(name, "unplug") == 0 && words == 1 && master >= 0)
        unplug();
    else if (strcmp(name, "plug") == 0 && words == 1 && master < 0)
        plug();
    else if (strcmp(name, "q") == 0 && words == 1)
        over = 1;
    else
        return "no such command, or not now";
    return NULL;
}

static void answer(char *text)
{
    const char *wrong;

#ifdef LIGHTS
    if (strcmp(text, "lights") == 0) {
        uint8_t place;

        printf("ok");
        for (place = 0; place < PLACES; place++)
            if (shown[place][0] || shown[place][1] || shown[place][2])
                printf(" %d:%02x%02x%02x", place + 1, shown[place][0], shown[place][1], shown[place][2]);
        printf("\n");
        return;
    }
#endif
    wrong = carry_out(text);
    if (wrong == NULL)
        printf("ok\n");
    else
        printf("error %s: %s\n", wrong, text);
}

/* Take what has come on stdin, if there is room for it. */
static void listen(void)
{
    struct pollfd in = {STDIN_FILENO, POLLIN, 0};
    ssize_t count;

    if (length + 1 < LINE && poll(&in, 1, 0) == 1) {
        count = read(STDIN_FILENO, line + length, LINE - 1 - length);
        if (count <= 0)
            over = 1;
        else
            length += (size_t)count;
    }
}

static void obey(void)
{
    char *end;

    if (now < hold)
        return;
    line[length] = 0;
    end = strchr(line, '\n');
    if (end == NULL) {
        if (length + 1 == LINE)
            length = 0; /* no command is so long */
        listen();
        return;
    }
    *end = 0;
    answer(line);
    fflush(stdout);
    length -= (size_t)(end + 1 - line);
    memmove(line, end + 1, length);
}

static void stop(int signal)
{
    (void)signal;
    over = 1;
}

static void options(int count, char **words)
{
    int i;

    for (i = 1; i < count; i += 2) {
        const char *value = i + 1 < count ? words[i + 1] : NULL;
        const char *rest = "";
        char *end;

        if (value == NULL) {
            rest = words[i];
        } else if (strcmp(words[i], "--link") == 0) {
            link_path = value;
        } else if (strcmp(words[i], "--uid") == 0) {
            uid = (uint32_t)strtoul(value, &end, 16);
            rest = end;
        } else if (strcmp(words[i], "--eeprom") == 0) {
            eeprom_file = open(value, O_RDWR | O_CREAT, 0666);
            if (eeprom_file < 0 || pread(eeprom_file, eeprom, EEPROM_SIZE, 0) < 0)
                fail(value);
        } else {
            rest = words[i];
        }
        if (*rest) {
            fprintf(stderr, "usage: %s [--link PATH] [--uid HEX] [--eeprom FILE]\n", words[0]);
            exit(1);
        }
    }
}

int main(int count, char **words)
{
    struct sigaction stopping;
    uint8_t key;

    memset(&stopping, 0, sizeof stopping);
    stopping.sa_handler = stop;
    sigaction(SIGINT, &stopping, NULL);
    sigaction(SIGTERM, &stopping, NULL);
    sigaction(SIGHUP, &stopping, NULL);
    memset(eeprom, 0xFF, sizeof eeprom);
    options(count, words);
    for (key = 0; key < KEYS; key++)
        contacts[key].reading = reading_of(key, 0);
    now = clock_us();
    plug();
    printf("%s\n", link_path != NULL ? link_path : ptsname(master));
    fflush(stdout);
    while (!over) {
        struct timespec next = {0, 0};
        uint64_t due = now + 1000u - (now - scanned) % 1000u;

        next.tv_sec = (time_t)(due / 1000000u);
        next.tv_nsec = (long)(due % 1000000u * 1000u);
        clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &next, NULL);
        now = clock_us();
        obey();
        /* A program may have to wait for its processor: what was missed is made up for. */
        while (master >= 0 && now - scanned >= 1000u) {
            uint64_t ms = (now - scanned) / 1000u;
            uint8_t elapsed = (uint8_t)(ms < UINT8_MAX ? ms : UINT8_MAX);

            scanned += elapsed * 1000u;
            scan(elapsed);
        }
    }
    if (master >= 0)
        unplug();
    return 0;
}
