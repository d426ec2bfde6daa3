/* SPDX-License-Identifier: Apache-2.0 */
/* tb/workloads/common/text.c: a text that grows record by record. */
#include "tb/workloads/common/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tb/workloads/common/fail.h"

#define HOSTS 61 /* of the web */

/* `array` with room for `needed` elements; at least doubles when it must grow. */
static void *grow(void *array, size_t *room, size_t needed, size_t size)
{
    if (needed <= *room)
        return array;
    *room = needed > 2 * *room ? needed : 2 * *room;
    array = realloc(array, *room * size);
    if (array == NULL)
        fail_with(EXIT_DEVICE, "no memory for %zu elements of %zu bytes", *room, size);
    return array;
}

void text_print(struct text *text, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    if (length < 0 || text->size + (size_t)length > TEXT_MOST_BYTES)
        fail_with(EXIT_USAGE, "the text is longer than %u bytes", TEXT_MOST_BYTES);
    text->bytes = grow(text->bytes, &text->room, text->size + (size_t)length + 1, 1);
    va_start(arguments, format);
    vsnprintf(text->bytes + text->size, (size_t)length + 1, format, arguments);
    va_end(arguments);
    text->size += (size_t)length;
}

void text_page(struct text *text, uint32_t page)
{
    text_print(text, "http://www.host%u.org/page/%u.html", page % HOSTS, page / HOSTS);
}

void text_end_record(struct text *text)
{
    text->start =
        grow(text->start, &text->start_room, text->records + (size_t)2, sizeof *text->start);
    if (text->records == 0)
        text->start[0] = 0;
    text->start[++text->records] = (uint32_t)text->size;
}

void text_free(struct text *text)
{
    free(text->bytes);
    free(text->start);
    *text = (struct text){0};
}

int text_compare(const char *bytes, uint32_t a, uint32_t a_size, uint32_t b, uint32_t b_size)
{
    int difference = memcmp(bytes + a, bytes + b, a_size < b_size ? a_size : b_size);
    return difference != 0 ? difference : (a_size > b_size) - (a_size < b_size);
}
