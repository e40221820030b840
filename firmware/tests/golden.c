#include "golden.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"

#define LINE 8192

static char *column(char *text, char **rest)
{
    char *end = strstr(text, " | ");

    *rest = end ? end + 3 : text + strlen(text);
    if (end)
        *end = 0;
    return text;
}

static unsigned read_bytes(const char *text, uint8_t *bytes, unsigned most)
{
    unsigned count;
    char *end;

    for (count = 0; count < most; count++, text = end) {
        unsigned long byte = strtoul(text, &end, 16);

        if (end == text)
            break;
        bytes[count] = (uint8_t)byte;
    }
    return count;
}

unsigned golden_each(const char *directory, const char *name, int columns, void (*test)(const struct golden *golden))
{
    static char line[LINE];
    static struct golden golden;
    char path[512], *rest;
    unsigned count = 0;
    FILE *file;

    snprintf(path, sizeof path, "%s/%s", directory, name);
    snprintf(check_context, sizeof check_context, "%.100s", path);
    file = fopen(path, "r");
    CHECK(file != NULL);
    if (file == NULL)
        return 0;
    while (fgets(line, LINE, file)) {
        if (line[0] == '#')
            continue;
        line[strcspn(line, "\n")] = 0;
        snprintf(golden.name, sizeof golden.name, "%s", column(line, &rest));
        golden.sender[0] = 0;
        if (columns == 4)
            snprintf(golden.sender, sizeof golden.sender, "%s", column(rest, &rest));
        golden.count = read_bytes(column(rest, &rest), golden.bytes, sizeof golden.bytes);
        snprintf(golden.says, sizeof golden.says, "%s", rest);
        snprintf(check_context, sizeof check_context, "the frame '%s'", golden.name);
        test(&golden);
        count++;
    }
    fclose(file);
    return count;
}

unsigned long golden_number(const struct golden *golden, const char *field, unsigned long otherwise)
{
    const char *found = strstr(golden->says, field);

    return found ? strtoul(found + strlen(field), NULL, 10) : otherwise;
}
