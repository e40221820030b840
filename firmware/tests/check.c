/* The tests of the core, all of them: tests-50 GOLDEN_DIRECTORY */
#include "check.h"

#include <stdarg.h>
#include <stdio.h>

#include "geometry.h"

#define SHOWN 40

char check_context[128];
static int failed;

const struct pace PACE[PACES] = {
    {"each ms", 1, false, false, 0},
    {"each 2 ms", 2, false, false, 0},
    {"each 5 ms", 5, false, false, 0},
    {"each 10 ms", 10, false, false, 0},
    {"several scans a ms", 0, false, false, 0},
    {"each 3 ms", 3, false, false, 6},
    {"each 7 ms", 7, false, false, 18},
    {"ragged", 7, true, false, 18},
    {"jumping", 0, false, true, 0},
};

void check_failed(const char *file, int line, const char *format, ...)
{
    va_list values;

    if (failed++ >= SHOWN)
        return;
    printf("%s:%d: %s: ", file, line, check_context);
    va_start(values, format);
    vprintf(format, values);
    va_end(values);
    printf("\n");
}

uint32_t pace_next(const struct pace *pace, uint32_t now, const uint32_t *named, unsigned count)
{
    static uint32_t seed = 1;
    unsigned i;

    if (pace->jumping) {
        for (i = 0; i < count; i++) {
            if (named[i] > now + 1)
                return named[i] - 1 - now > UINT8_MAX ? now + UINT8_MAX : named[i] - 1;
            if (named[i] > now)
                return named[i];
        }
        return now + UINT8_MAX;
    }
    if (pace->ragged) {
        seed = seed * 1103515245u + 12345u;
        return now + 1 + (seed >> 16) % pace->every;
    }
    return now + (pace->every ? pace->every : 1);
}

int main(int count, char **words)
{
    if (count != 2) {
        fprintf(stderr, "usage: %s DIRECTORY_OF_GOLDEN_FRAMES\n", words[0]);
        return 2;
    }
    test_frames(words[1]);
    test_golden(words[1]);
    test_debounce();
    test_event_log();
    test_lights();
    test_hall();
    test_protocol();
    if (failed) {
        printf("%s: %d checks failed\n", words[0], failed);
        return 1;
    }
    printf("%s: all sound\n", words[0]);
    return 0;
}
